#include "output/run/run_outputs.h"

#include "base/clock.h"
#include "output/files/output_names.h"
#include "output/files/readable_frame.h"
#include "output/formats/format_job.h"
#include "output/pictures/picture_file.h"
#include "output/pictures/video.h"

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

static bool wants(const sherd_run_loop *loop, int format)
{
    return (sherd_outputs_formats(loop) >> format & 1) != 0;
}

static bool wants_meshes(const sherd_run_loop *loop, int format)
{
    return wants(loop, format) &&
           sherd_format_get(format)->about.needs == SHERD_EXPORT_FROM_MESHES &&
           loop->scene->output.surface.enabled;
}

static void place(const sherd_run_loop *loop, const char *name, char path[OUTPUT_PATH])
{
    sherd_output_path(loop->folder, name, path);
}

static sherd_format_job job_of(const sherd_run_loop *loop, int format, const char *path,
                               sherd_run *run, sherd_export_result *result)
{
    return (sherd_format_job){
        .format = sherd_format_get(format),
        .own = loop->own,
        .path = path,
        .folder = loop->folder,
        .model = &loop->model,
        .scene = loop->scene,
        .run = run,
        .meshes = wants_meshes(loop, format) ? loop->pictures : NULL,
        .dust = loop->dust,
        .last = loop->frame,
        .threads = loop->def->threads,
        .result = result,
    };
}

// ---------------------------------------------------------------- before the first frame

// A resumed run uses its initial camera and the previous poses of obstacles.
static sherd_status aim_camera(sherd_run_loop *loop, sherd_error *error)
{
    if (loop->frame < 0) return SHERD_OK;
    sherd_run_frame *first = sherd_readable_frame(loop->previous, 0, 0, loop->frame, error);
    if (first != NULL) sherd_picture_maker_aim(loop->pictures, first);
    sherd_run_frame_destroy(first);
    // If all are damaged, the next frame sets the view.
    if (first == NULL && error->status != SHERD_ERROR_INPUT) return error->status;
    sherd_run_frame *last = sherd_run_read_frame(loop->previous, loop->frame, error);
    if (last != NULL) sherd_picture_maker_remember(loop->pictures, last);
    sherd_run_frame_destroy(last);
    return last != NULL || error->status == SHERD_ERROR_INPUT ? SHERD_OK : error->status;
}

// Processes earlier breaks of a resumed run.
static sherd_status open_dust(sherd_run_loop *loop, sherd_error *error)
{
    loop->dust = sherd_dust_create(loop->scene, &loop->model, error);
    if (loop->dust == NULL) return error->status;
    return sherd_dust_catch_up(loop->dust, loop->previous, loop->frame + 1, error);
}

// Creates a folder for files of frames; files of all frames are created at the end.
static sherd_status prepare_format(sherd_run_loop *loop, const sherd_format *format,
                                   sherd_error *error)
{
    char path[OUTPUT_PATH];
    place(loop, format->about.place, path);
    if (!format->about.whole) return sherd_folder_create(path, error);
    if (!sherd_output_list_foreign(loop->own, path)) remove(path); // usually there is none
    return SHERD_OK;
}

sherd_status sherd_outputs_open(sherd_run_loop *loop, sherd_error *error)
{
    char path[OUTPUT_PATH];
    bool meshes = false;
    sherd_status status = open_dust(loop, error);
    place(loop, "frames", path);
    if (status == SHERD_OK && sherd_outputs_pictures(loop))
        status = sherd_folder_create(path, error);
    for (int k = sherd_format_count() - 1; k >= 0 && status == SHERD_OK; --k) {
        const sherd_format *format = sherd_format_get(k);
        meshes = meshes || wants_meshes(loop, k);
        if (wants(loop, k)) status = prepare_format(loop, format, error);
    }
    if (status != SHERD_OK || !(meshes || sherd_outputs_pictures(loop))) return status;
    sherd_picture_use use = meshes ? SHERD_PICTURES_AND_MESHES : SHERD_PICTURES_ALONE;
    loop->pictures = sherd_picture_maker_create(loop->scene, &loop->model, use, loop->def->threads,
                                                &loop->messages, error);
    if (loop->pictures == NULL) return error->status;
    sherd_picture_maker_show_dust(loop->pictures, loop->dust);
    return aim_camera(loop, error);
}

// ---------------------------------------------------------------- frame by frame

static sherd_status write_picture(sherd_run_loop *loop, const sherd_run_frame *frame,
                                  sherd_error *error)
{
    char folder[OUTPUT_PATH];
    place(loop, "frames", folder);
    sherd_status status =
        sherd_picture_file_write(loop->pictures, folder, frame->index, loop->own, error);
    if (status != SHERD_ERROR_UNSUPPORTED) return status;
    if (loop->missing_pictures++ == 0) // the run continues without the picture
        sherd_message_send(&loop->messages, SHERD_MESSAGE_ERROR, error->where, error->hint, "%s",
                           error->what);
    return SHERD_OK;
}

sherd_status sherd_outputs_frame(sherd_run_loop *loop, const sherd_run_frame *frame,
                                 sherd_error *error)
{
    sherd_status status = sherd_dust_take(loop->dust, frame, error);
    if (status == SHERD_OK && loop->pictures != NULL) {
        sherd_fragment_view view = sherd_fragments_view(loop->fragments);
        status = sherd_picture_maker_update(loop->pictures, frame, &view, error);
    }
    double before = sherd_clock_seconds();
    if (status == SHERD_OK && sherd_outputs_pictures(loop))
        status = write_picture(loop, frame, error);
    loop->render_wall += sherd_clock_seconds() - before;
    for (int k = sherd_format_count() - 1; k >= 0 && status == SHERD_OK; --k) {
        const sherd_format *format = sherd_format_get(k);
        if (!wants(loop, k) || format->frame == NULL) continue;
        char path[OUTPUT_PATH];
        place(loop, format->about.place, path);
        sherd_format_job job = job_of(loop, k, path, NULL, NULL);
        status = format->frame(&job, frame, error);
    }
    return status;
}

// ---------------------------------------------------------------- from the run file

static sherd_status write_list(sherd_run_loop *loop, int k, sherd_error *error)
{
    const sherd_format *format = sherd_format_get(k);
    sherd_run *run = sherd_run_open(loop->folder, error);
    if (run == NULL) return error->status;
    char path[OUTPUT_PATH];
    place(loop, format->about.place, path);
    sherd_format_job job = job_of(loop, k, path, run, NULL);
    sherd_status status = format->end(&job, error);
    sherd_run_close(run);
    return status;
}

sherd_status sherd_outputs_lists(sherd_run_loop *loop, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = sherd_format_count() - 1; k >= 0 && status == SHERD_OK && loop->frame >= 0; --k) {
        const sherd_format *format = sherd_format_get(k);
        if (!format->about.whole && format->end != NULL && wants(loop, k))
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
    place(loop, format->about.place, path);
    sherd_format_job job = job_of(loop, k, path, run, &result);
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
        if (format->about.whole && wants(loop, k)) status = write_whole(loop, k, error);
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
    place(loop, "frames", pictures);
    place(loop, "video.mp4", path);
    sherd_video_def def = {pictures, 0, loop->frame, loop->scene->output.frame_rate};
    sherd_error error;
    if (sherd_video_write(&def, loop->own, path, &error) == SHERD_OK) return;
    sherd_message_send(&loop->messages, SHERD_MESSAGE_SHORTFALL, NULL, NULL,
                       "no video: %s; the pictures are in %s/frames", error.what,
                       sherd_printable(folder, sizeof folder, loop->folder));
}
