#include "run/outputs.h"

#include "clock.h"
#include "export/export.h"
#include "export/frame_files.h"
#include "files/output_names.h"
#include "files/readable_frame.h"
#include "message.h"

#include <sherd/file.h>

#include <stdio.h>

static bool wants_pictures(const run_loop *loop)
{
    return loop->scene->output.render.enabled && !loop->options->no_pictures;
}

// Meshes of fragments; with `surface: false` there are none, only the elements of vtk.
static bool wants_ply(const run_loop *loop)
{
    return loop->scene->output.write_ply && loop->scene->output.surface.enabled;
}

static bool wants_glb(const run_loop *loop)
{
    return loop->scene->output.write_glb && loop->scene->output.surface.enabled;
}

static bool wants_vtk_surface(const run_loop *loop)
{
    return loop->scene->output.write_vtk && loop->scene->output.surface.enabled;
}

static void place(const run_loop *loop, const char *name, char path[OUTPUT_PATH])
{
    output_path(loop->folder, name, path);
}

// What goes on is seen by the camera that the run began with.
static sherd_status aim_camera(run_loop *loop, sherd_error *error)
{
    if (loop->frame < 0) return SHERD_OK;
    sherd_run_frame *first = readable_frame(loop->former, 0, 0, loop->frame, error);
    if (first != NULL) picture_maker_aim(loop->pictures, first);
    sherd_run_frame_destroy(first);
    // All damaged: the view is that of the next frame.
    return first != NULL || error->status == SHERD_ERROR_INPUT ? SHERD_OK : error->status;
}

sherd_status outputs_open(run_loop *loop, sherd_error *error)
{
    const struct {
        const char *name;
        bool wanted;
    } folders[] = {{"frames", wants_pictures(loop)},
                   {"surface", wants_ply(loop)},
                   {"vtk", loop->scene->output.write_vtk}};
    char path[OUTPUT_PATH];
    sherd_status status = SHERD_OK;
    for (size_t k = 0; k < sizeof folders / sizeof folders[0] && status == SHERD_OK; ++k) {
        place(loop, folders[k].name, path);
        if (folders[k].wanted) status = sherd_folder_create(path, error);
    }
    if (status != SHERD_OK) return status;
    place(loop, "run.glb", path);
    if (wants_glb(loop) && !own_files_foreign(loop->own, path)) remove(path); // often there is none
    if (!wants_pictures(loop) && !wants_ply(loop) && !wants_vtk_surface(loop)) return SHERD_OK;
    loop->pictures = picture_maker_create(loop->scene, &loop->model, loop->options->threads, error);
    return loop->pictures != NULL ? aim_camera(loop, error) : error->status;
}

static sherd_status write_picture(run_loop *loop, const sherd_run_frame *frame, sherd_error *error)
{
    char path[OUTPUT_PATH];
    snprintf(path, sizeof path, "%s/frames/frame_%06lld.png", loop->folder,
             (long long)frame->index);
    sherd_status status = own_files_begin(loop->own, path, error);
    if (status != SHERD_OK) return status;
    status = picture_maker_render(loop->pictures, path, error);
    if (status == SHERD_ERROR_UNSUPPORTED) { // no reason to lose the run
        if (loop->missing_pictures++ == 0) message_error(error);
        return SHERD_OK;
    }
    return status == SHERD_OK ? own_files_end(loop->own, path, error) : status;
}

sherd_status outputs_frame(run_loop *loop, const sherd_run_frame *frame, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    char path[OUTPUT_PATH];
    if (loop->pictures != NULL) {
        sherd_fragment_view view = sherd_fragments_view(loop->fragments);
        status = picture_maker_update(loop->pictures, frame, &view, error);
    }
    double before = clock_seconds();
    if (status == SHERD_OK && wants_pictures(loop)) status = write_picture(loop, frame, error);
    loop->render_wall += clock_seconds() - before;
    frame_place where = {loop->own, path};
    if (status == SHERD_OK && wants_ply(loop)) {
        place(loop, "surface", path);
        status = frame_files_write_ply(loop->pictures, PICTURE_FRAME, frame->index, where, error);
    }
    if (status == SHERD_OK && loop->scene->output.write_vtk) {
        place(loop, "vtk", path);
        const picture_maker *meshes = wants_vtk_surface(loop) ? loop->pictures : NULL;
        status = frame_files_write_vtk(meshes, &loop->model, frame, where, error);
    }
    return status;
}

// ---------------------------------------------------------------- from the run file

sherd_status outputs_lists(const run_loop *loop, sherd_error *error)
{
    if (!loop->scene->output.write_vtk || loop->frame < 0) return SHERD_OK;
    sherd_run *run = sherd_run_open(loop->folder, error);
    if (run == NULL) return error->status;
    char path[OUTPUT_PATH];
    place(loop, "vtk", path);
    frame_place where = {loop->own, path};
    static const char *const names[] = {"elements", "surface", NULL};
    sherd_status status = frame_files_write_pvd(run, names, 0, loop->frame, where, error);
    sherd_run_close(run);
    return status;
}

sherd_status outputs_animation(const run_loop *loop, sherd_error *error)
{
    if (!wants_glb(loop) || loop->frame < 0) return SHERD_OK;
    sherd_run *run = sherd_run_open(loop->folder, error);
    if (run == NULL) return error->status;
    animation_def def = {
        .run = run, .scene = loop->scene, .last = loop->frame, .threads = loop->options->threads};
    animation_summary summary;
    char path[OUTPUT_PATH];
    place(loop, "run.glb", path);
    sherd_status status = own_files_begin(loop->own, path, error);
    if (status == SHERD_OK) status = animation_write(&def, path, &summary, error);
    if (status == SHERD_OK) status = own_files_end(loop->own, path, error);
    sherd_run_close(run);
    if (status == SHERD_OK && !loop->options->quiet) export_say_animation(&summary, path);
    if (status != SHERD_ERROR_UNSUPPORTED) return status;
    fprintf(stderr, "no run.glb: %s\n", error->what); // nothing it could show, or too large
    return SHERD_OK;
}

void outputs_say(const run_loop *loop)
{
    char path[OUTPUT_PATH];
    place(loop, "video.mp4", path);
    if (sherd_file_exists(path)) printf(", video.mp4");
    if (wants_pictures(loop)) printf(", frames/");
    if (wants_ply(loop)) printf(", surface/");
    if (loop->scene->output.write_vtk) printf(", vtk/");
    place(loop, "run.glb", path);
    if (wants_glb(loop) && sherd_file_exists(path)) printf(", run.glb");
}
