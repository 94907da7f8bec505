#include "output/run/run_outputs.h"

#include "output/files/output_names.h"
#include "output/pictures/video.h"
#include "output/run/frame_outputs.h"

#include <sherd/file.h>

#include <stdio.h>

bool sherd_outputs_pictures(const sherd_run_loop *loop)
{
    return loop->scene->output.render.enabled && loop->def->pictures != SHERD_RUN_PICTURES_NONE;
}

// With `surface: false` only formats that do not need meshes are written.
uint32_t sherd_outputs_formats(const sherd_run_loop *loop)
{
    const sherd_scene_output *output = &loop->scene->output;
    uint32_t formats = 0;
    for (int k = 0; k < sherd_format_count(); ++k)
        if (output->surface.enabled || sherd_format_get(k)->elements_alone) formats |= 1u << k;
    return formats & output->meshes;
}

bool sherd_outputs_wants(const sherd_run_loop *loop, int format)
{
    return (sherd_outputs_formats(loop) >> format & 1) != 0;
}

bool sherd_outputs_wants_meshes(const sherd_run_loop *loop, int format)
{
    const sherd_format *of = sherd_format_get(format);
    return sherd_outputs_wants(loop, format) && of->frame != NULL &&
           of->about.needs == SHERD_EXPORT_FROM_MESHES && loop->scene->output.surface.enabled;
}

sherd_format_job sherd_outputs_job(const sherd_run_loop *loop, int format, const char *path)
{
    bool meshes = sherd_outputs_wants_meshes(loop, format);
    return (sherd_format_job){
        .format = sherd_format_get(format),
        .own = loop->own,
        .path = path,
        .folder = loop->folder,
        .model = &loop->model,
        .scene = loop->scene,
        .meshes = meshes ? sherd_frame_outputs_meshes(loop->outputs) : NULL,
        .dust = sherd_frame_outputs_dust(loop->outputs),
        .threads = loop->def->threads,
    };
}

// ---------------------------------------------------------------- before the first frame

// Creates a folder for files of frames; files of all frames are created at the end.
static sherd_status prepare_format(sherd_run_loop *loop, const sherd_format *format,
                                   sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_output_path(loop->folder, format->about.place, path);
    if (!format->about.whole) return sherd_folder_create(path, error);
    if (!sherd_output_list_foreign(loop->own, path)) remove(path); // usually there is none
    return SHERD_OK;
}

sherd_status sherd_outputs_open(sherd_run_loop *loop, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_status status = SHERD_OK;
    sherd_output_path(loop->folder, "frames", path);
    if (sherd_outputs_pictures(loop)) status = sherd_folder_create(path, error);
    for (int k = sherd_format_count() - 1; k >= 0 && status == SHERD_OK; --k)
        if (sherd_outputs_wants(loop, k)) status = prepare_format(loop, sherd_format_get(k), error);
    if (status != SHERD_OK) return status;
    loop->outputs = sherd_frame_outputs_create(loop, error);
    return loop->outputs != NULL ? SHERD_OK : error->status;
}

// ---------------------------------------------------------------- from the run file

static sherd_status write_list(sherd_run_loop *loop, int k, sherd_error *error)
{
    const sherd_format *format = sherd_format_get(k);
    sherd_run *run = sherd_run_open(loop->folder, error);
    if (run == NULL) return error->status;
    char path[OUTPUT_PATH];
    sherd_output_path(loop->folder, format->about.place, path);
    sherd_format_job job = sherd_outputs_job(loop, k, path);
    job.run = run, job.last = loop->frame;
    sherd_status status = format->end(&job, error);
    sherd_run_close(run);
    return status;
}

sherd_status sherd_outputs_lists(sherd_run_loop *loop, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = sherd_format_count() - 1; k >= 0 && status == SHERD_OK && loop->frame >= 0; --k) {
        const sherd_format *format = sherd_format_get(k);
        if (!format->about.whole && format->end != NULL && sherd_outputs_wants(loop, k))
            status = write_list(loop, k, error);
    }
    return status;
}

static sherd_status write_whole(sherd_run_loop *loop, int k, sherd_error *error)
{
    const sherd_format *format = sherd_format_get(k);
    sherd_run *run = sherd_run_open(loop->folder, error);
    if (run == NULL) return error->status;
    sherd_export_result result;
    char path[OUTPUT_PATH], text[OUTPUT_PATH + 256];
    sherd_output_path(loop->folder, format->about.place, path);
    sherd_format_job job = sherd_outputs_job(loop, k, path);
    job.run = run, job.last = loop->frame, job.result = &result;
    sherd_status status = sherd_format_write_whole(&job, error);
    sherd_run_close(run);
    if (status == SHERD_OK)
        sherd_message_send(&loop->messages, SHERD_MESSAGE_INFO, NULL, NULL, "%s",
                           sherd_export_result_text(&result, path, text, sizeof text));
    if (status != SHERD_ERROR_UNSUPPORTED) return status;
    sherd_message_send(&loop->messages, SHERD_MESSAGE_SHORTFALL, NULL, NULL, "no %s: %s",
                       format->about.place, error->what); // nothing to show, or too large
    return SHERD_OK;
}

sherd_status sherd_outputs_whole(sherd_run_loop *loop, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = sherd_format_count() - 1; k >= 0 && status == SHERD_OK && loop->frame >= 0; --k) {
        const sherd_format *format = sherd_format_get(k);
        if (format->about.whole && sherd_outputs_wants(loop, k))
            status = write_whole(loop, k, error);
    }
    return status;
}

void sherd_outputs_video(sherd_run_loop *loop)
{
    if (loop->missing_pictures > 0)
        sherd_message_send(&loop->messages, SHERD_MESSAGE_SHORTFALL, NULL, NULL,
                           "%lld pictures are missing: make them with sherd render",
                           (long long)loop->missing_pictures);
    if (loop->missing_pictures > 0 || !sherd_outputs_pictures(loop) ||
        !loop->scene->output.render.video)
        return;
    char pictures[OUTPUT_PATH], path[OUTPUT_PATH], folder[1024];
    sherd_output_path(loop->folder, "frames", pictures);
    sherd_output_path(loop->folder, "video.mp4", path);
    sherd_video_def def = {pictures, 0, loop->frame, loop->scene->output.frame_rate};
    sherd_error error;
    if (sherd_video_write(&def, loop->own, path, &error) == SHERD_OK) return;
    sherd_message_send(&loop->messages, SHERD_MESSAGE_SHORTFALL, NULL, NULL,
                       "no video: %s; the pictures are in %s/frames", error.what,
                       sherd_printable(folder, sizeof folder, loop->folder));
}
