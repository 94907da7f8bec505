#include "output/pictures/picture_file.h"
#include "output/pictures/video.h"
#include "output/replay/replay.h"

#include <sherd/file.h>

#include <stdio.h>

typedef struct rendering {
    sherd_replay replay;
    char folder[OUTPUT_PATH], video[OUTPUT_PATH];
    int64_t first, last; // consecutive pictures; -1: none yet
} rendering;

// The video is beside the run's own folder of pictures, or else among the pictures.
static void choose_places(rendering *r)
{
    const sherd_replay_def *def = r->replay.def;
    if (def->place != NULL)
        snprintf(r->folder, sizeof r->folder, "%s", def->place);
    else
        sherd_output_path(def->folder, "frames", r->folder);
    sherd_output_path(def->place != NULL ? r->folder : def->folder, "video.mp4", r->video);
}

static bool makes_video(const rendering *r)
{
    return r->replay.def->scene->output.render.video;
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
    sherd_video_def video = {r->folder, r->first, r->last, def->scene->output.frame_rate};
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
