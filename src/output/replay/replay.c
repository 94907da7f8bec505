#include "output/replay/replay.h"

#include "base/error.h"
#include "output/files/readable_frame.h"
#include "output/formats/final_fragments.h"
#include "output/formats/frame_files.h"
#include "output/pictures/picture_file.h"
#include "output/pictures/video.h"

#include <sherd/file.h>

#include <stdio.h>
#include <string.h>

enum { COOKIE = 0x72706c79 };

sherd_replay_def sherd_replay_def_default(void)
{
    return (sherd_replay_def){.cookie = COOKIE};
}

// ---------------------------------------------------------------- opening

static sherd_status check_def(const sherd_replay_def *def, sherd_export_needs needs,
                              sherd_error *error)
{
    if (def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "replay",
                          "start from sherd_replay_def_default()", "definition not initialised");
    if (def->run == NULL || def->folder == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "replay.run", NULL,
                          "the run and its folder are missing");
    int64_t count = sherd_run_frame_count(def->run);
    if (def->first < 0 || def->first > def->last || def->last >= count)
        return sherd_fail(error, SHERD_ERROR_INPUT, "replay.last", NULL,
                          "frames %lld to %lld are asked for, the run has 0 to %lld",
                          (long long)def->first, (long long)def->last, (long long)count - 1);
    if (needs != SHERD_EXPORT_FROM_RUN && def->scene == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "replay.scene", NULL,
                          "the scene that the run was made from is missing");
    return SHERD_OK;
}

sherd_status sherd_replay_aim(sherd_picture_maker *maker, sherd_run *run, sherd_error *error)
{
    int64_t last = sherd_run_frame_count(run) - 1;
    sherd_run_frame *first = sherd_readable_frame(run, 0, 0, last, error);
    if (first == NULL) return error->status;
    sherd_picture_maker_aim(maker, first);
    sherd_run_frame_destroy(first);
    return SHERD_OK;
}

sherd_status sherd_replay_remember(sherd_picture_maker *maker, sherd_run *run, int64_t index,
                                   sherd_error *error)
{
    if (index < 0) return SHERD_OK;
    sherd_run_frame *frame = sherd_run_read_frame(run, index, error);
    if (frame == NULL) return error->status == SHERD_ERROR_INPUT ? SHERD_OK : error->status;
    sherd_picture_maker_remember(maker, frame);
    sherd_run_frame_destroy(frame);
    return SHERD_OK;
}

static sherd_status open_meshes(sherd_replay *r, sherd_picture_use use, sherd_error *error)
{
    const sherd_replay_def *def = r->def;
    r->fragments = sherd_fragments_create(error);
    if (r->fragments == NULL) return error->status;
    r->pictures = sherd_picture_maker_create(def->scene, &r->model, use, SHERD_RENDER_FINAL,
                                             def->threads, &r->messages, error);
    if (r->pictures == NULL) return error->status;
    return sherd_replay_aim(r->pictures, def->run, error);
}

sherd_status sherd_replay_open(sherd_replay *r, const sherd_replay_def *def,
                               sherd_export_needs needs, sherd_picture_use use, sherd_error *error)
{
    *r = (sherd_replay){.def = def, .messages = {def->on_message, def->context, 0}};
    sherd_status status = check_def(def, needs, error);
    if (status != SHERD_OK) return status;
    r->model = sherd_run_get_model(def->run);
    r->own = sherd_output_list_open(def->folder, error);
    if (r->own == NULL) return error->status;
    r->dust = sherd_dust_create(def->scene, &r->model, error);
    if (r->dust == NULL && error->status != SHERD_OK) return error->status;
    if (needs == SHERD_EXPORT_FROM_MESHES) status = open_meshes(r, use, error);
    if (status != SHERD_OK || r->pictures == NULL) return status;
    sherd_picture_maker_show_dust(r->pictures, r->dust);
    if (use != SHERD_PICTURES_ALONE) return SHERD_OK;
    r->debris = sherd_debris_create(def->scene, &r->model, error);
    sherd_picture_maker_show_debris(r->pictures, r->debris);
    return r->debris != NULL ? SHERD_OK : error->status;
}

void sherd_replay_close(sherd_replay *r)
{
    sherd_picture_maker_destroy(r->pictures);
    sherd_fragments_destroy(r->fragments);
    sherd_output_list_close(r->own);
    sherd_dust_destroy(r->dust);
    sherd_debris_destroy(r->debris);
}

// ---------------------------------------------------------------- what is in the way

void sherd_replay_look(const sherd_replay *r, sherd_overwrite_check *way, const char *folder,
                       const char *what, const char *kind)
{
    char path[OUTPUT_PATH];
    for (int64_t k = r->def->first; k <= r->def->last; ++k) {
        sherd_frame_files_path(path, folder, what, k, kind);
        sherd_overwrite_check_file(way, path);
    }
}

sherd_status sherd_replay_check(const sherd_replay *r, const sherd_overwrite_check *way,
                                sherd_error *error)
{
    return r->def->foreign == SHERD_FOREIGN_OVERWRITE ? SHERD_OK
                                                      : sherd_overwrite_check_result(way, error);
}

// ---------------------------------------------------------------- frames

// Uses the fragment numbers that the run stored.
static sherd_status show_frame(sherd_replay *r, const sherd_run_frame *frame, sherd_error *error)
{
    sherd_status status = sherd_frame_fragments(r->fragments, &r->model, frame, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(r->fragments);
    return sherd_picture_maker_update(r->pictures, frame, &view, error);
}

// Passes the frame before the first one, for obstacles' motion blur.
static sherd_status pass_previous_frame(sherd_replay *r, sherd_error *error)
{
    const sherd_replay_def *def = r->def;
    if (r->pictures == NULL || !(def->scene->output.render.shutter > 0.0)) return SHERD_OK;
    return sherd_replay_remember(r->pictures, def->run, def->first - 1, error);
}

sherd_status sherd_replay_frames(sherd_replay *r, sherd_replay_work *work, void *context,
                                 sherd_error *error)
{
    const sherd_replay_def *def = r->def;
    sherd_status status = pass_previous_frame(r, error);
    if (status == SHERD_OK) status = sherd_dust_catch_up(r->dust, def->run, def->first, error);
    if (status == SHERD_OK) status = sherd_debris_catch_up(r->debris, def->run, def->first, error);
    for (int64_t k = def->first; k <= def->last && status == SHERD_OK; ++k) {
        sherd_run_frame *frame = sherd_run_read_frame(def->run, k, error);
        if (frame == NULL && error->status == SHERD_ERROR_INPUT) {
            ++r->damaged;
            continue;
        }
        if (frame == NULL) return error->status;
        status = sherd_dust_take(r->dust, frame, error);
        if (status == SHERD_OK) status = sherd_debris_take(r->debris, frame, error);
        if (status == SHERD_OK && r->pictures != NULL) status = show_frame(r, frame, error);
        if (status == SHERD_OK) status = work(context, frame, error);
        sherd_run_frame_destroy(frame);
        if (status == SHERD_OK && def->on_frame != NULL)
            def->on_frame(def->context, "frame", k, def->last);
    }
    return status;
}

// ---------------------------------------------------------------- pictures and video

typedef struct rendering {
    sherd_replay replay;
    char folder[OUTPUT_PATH], video[OUTPUT_PATH];
    int64_t first, last; // consecutive pictures; -1: none yet
    bool whole;          // the video is of all frames
} rendering;

// Whether a picture of this size is there already: the first bytes of a PNG say how large it is.
static bool is_picture(const char *path, int width, int height)
{
    unsigned char head[24] = {0};
    FILE *file = fopen(path, "rb");
    size_t count = file != NULL ? fread(head, 1, sizeof head, file) : 0;
    if (file != NULL) fclose(file);
    int size[2];
    for (int k = 0; k < 2; ++k)
        size[k] = head[16 + 4 * k] << 24 | head[17 + 4 * k] << 16 | head[18 + 4 * k] << 8 |
                  head[19 + 4 * k];
    return count == sizeof head && memcmp(head + 1, "PNG", 3) == 0 && size[0] == width &&
           size[1] == height;
}

// Whether with the frames to be rendered there will be alike pictures of all frames of the run.
static bool completes(const rendering *r)
{
    const sherd_replay_def *def = r->replay.def;
    const sherd_scene_render *render = &def->scene->output.render;
    int64_t count = sherd_run_frame_count(def->run);
    char path[OUTPUT_PATH];
    for (int64_t k = 0; k < count; ++k) {
        if (k == def->first) k = def->last + 1;
        if (k >= count) break;
        sherd_frame_files_path(path, r->folder, "frame_", k, ".png");
        if (!is_picture(path, render->width, render->height)) return false;
    }
    return true;
}

// The video is beside the run's own folder of pictures, or else among the pictures. A run's video of
// some frames is among its pictures: video.mp4 is of all frames.
static void choose_places(rendering *r)
{
    const sherd_replay_def *def = r->replay.def;
    if (def->place != NULL)
        snprintf(r->folder, sizeof r->folder, "%s", def->place);
    else
        sherd_output_path(def->folder, "frames", r->folder);
    r->whole = completes(r);
    if (r->whole || def->place != NULL)
        sherd_output_path(def->place != NULL ? r->folder : def->folder, "video.mp4", r->video);
    else
        sherd_frame_files_path(r->video, r->folder, "video_", def->first, ".mp4");
}

static bool makes_video(const rendering *r)
{
    const sherd_replay_def *def = r->replay.def;
    return def->scene->output.render.video &&
           (r->whole || def->place != NULL || def->first < def->last);
}

static sherd_status check_places(const rendering *r, sherd_error *error)
{
    sherd_overwrite_check way = {.own = r->replay.own};
    if (r->replay.def->place == NULL) sherd_overwrite_check_folder(&way, r->folder);
    sherd_replay_look(&r->replay, &way, r->folder, "frame_", ".png");
    if (r->replay.def->scene->output.render.exr != SHERD_EXR_NONE)
        sherd_replay_look(&r->replay, &way, r->folder, "frame_", ".exr");
    if (makes_video(r)) sherd_overwrite_check_file(&way, r->video);
    return sherd_replay_check(&r->replay, &way, error);
}

// Finds one colour range for all frames of the run, whichever are rendered.
static sherd_status find_range(rendering *r, sherd_error *error)
{
    const sherd_replay_def *def = r->replay.def;
    if (!sherd_picture_maker_finds_range(r->replay.pictures)) return SHERD_OK;
    for (int64_t k = 0; k < sherd_run_frame_count(def->run); ++k) {
        sherd_run_frame *frame = sherd_run_read_frame(def->run, k, error);
        if (frame == NULL && error->status != SHERD_ERROR_INPUT) return error->status;
        if (frame != NULL)
            sherd_picture_maker_widen_range(r->replay.pictures, frame); // otherwise it is damaged
        sherd_run_frame_destroy(frame);
    }
    return SHERD_OK;
}

static sherd_status write_picture(void *context, const sherd_run_frame *frame, sherd_error *error)
{
    rendering *r = context;
    sherd_status status =
        sherd_picture_file_write(r->replay.pictures, r->folder, frame->index, r->replay.own, error);
    if (status != SHERD_OK) return status;
    if (r->first < 0) r->first = frame->index;
    if (r->last < 0 || r->last == frame->index - 1) r->last = frame->index;
    return SHERD_OK;
}

// The video ends before the first missing picture.
static void make_video(rendering *r)
{
    const sherd_replay_def *def = r->replay.def;
    sherd_error error;
    if (r->last < def->last)
        sherd_message_send(&r->replay.messages, SHERD_MESSAGE_SHORTFALL, NULL, NULL,
                           "the video shows frames %lld to %lld only", (long long)r->first,
                           (long long)r->last);
    int64_t first = r->first, last = r->last;
    if (r->whole && r->first == def->first && r->last == def->last)
        first = 0, last = sherd_run_frame_count(def->run) - 1;
    sherd_video_def video = {r->folder, first, last, def->scene->output.frame_rate};
    if (sherd_video_write(&video, r->replay.own, r->video, &error) != SHERD_OK)
        sherd_message_send(&r->replay.messages, SHERD_MESSAGE_SHORTFALL, NULL, NULL, "no video: %s",
                           error.what);
}

sherd_status sherd_replay_render(const sherd_replay_def *def, sherd_error *error)
{
    rendering r = {.first = -1, .last = -1};
    sherd_status status =
        sherd_replay_open(&r.replay, def, SHERD_EXPORT_FROM_MESHES, SHERD_PICTURES_ALONE, error);
    if (status == SHERD_OK) {
        choose_places(&r);
        status = check_places(&r, error);
    }
    if (status == SHERD_OK) status = sherd_folder_create(r.folder, error);
    if (status == SHERD_OK) status = find_range(&r, error);
    if (status == SHERD_OK) status = sherd_replay_frames(&r.replay, write_picture, &r, error);
    if (status == SHERD_OK && r.first >= 0 && makes_video(&r)) make_video(&r);
    sherd_replay_close(&r.replay);
    return status;
}
