// sherd render: pictures and video of a run folder, without simulating.
#include "commands.h"
#include "export/frame_files.h"
#include "export/replay.h"
#include "files/readable_frame.h"
#include "message.h"
#include "pictures/video.h"

#include <sherd/file.h>

#include <stdio.h>

static void picture_path(const char *folder, int64_t frame, char path[OUTPUT_PATH])
{
    snprintf(path, OUTPUT_PATH, "%s/frame_%06lld.png", folder, (long long)frame);
}

static sherd_status write_picture(const replay *r, const sherd_run_frame *frame, void *context,
                                  sherd_error *error)
{
    char path[OUTPUT_PATH];
    picture_path(context, frame->index, path);
    sherd_status status = own_files_begin(r->own, path, error);
    if (status == SHERD_OK) status = picture_maker_render(r->pictures, path, error);
    return status == SHERD_OK ? own_files_end(r->own, path, error) : status;
}

// The video lies beside the folder of the run's own pictures, else among the pictures.
static void video_path(const replay *r, const char *pictures, char path[OUTPUT_PATH])
{
    char folder[OUTPUT_PATH];
    replay_folder(r, folder);
    output_path(r->options->output != NULL ? pictures : folder, "video.mp4", path);
}

static void make_video(const replay *r, const char *pictures)
{
    char path[OUTPUT_PATH];
    sherd_error error;
    video_path(r, pictures, path);
    // It has no holes: it shows what comes before the next damaged frame.
    int64_t first = r->first;
    while (r->damaged > 0 && damaged_frames(r->run, first, first, NULL) > 0)
        ++first;
    int64_t last = r->damaged > 0 ? first : r->last;
    while (last < r->last && damaged_frames(r->run, last + 1, last + 1, NULL) == 0)
        ++last;
    if (last < r->last)
        fprintf(stderr, "the video shows frames %lld to %lld only\n", (long long)first,
                (long long)last);
    video_def def = {pictures, first, last, r->scene->output.frame_rate};
    if (video_write(&def, r->own, path, &error) != SHERD_OK)
        fprintf(stderr, "no video: %s\n", error.what);
}

static sherd_status check_place(const replay *r, const char *folder, sherd_error *error)
{
    in_the_way way = {.own = r->own};
    char path[OUTPUT_PATH];
    if (r->options->output == NULL) in_the_way_look_at_folder(&way, folder);
    frame_files_look(&way, folder, "frame", "png", r->first, r->last);
    video_path(r, folder, path);
    in_the_way_look(&way, path);
    return replay_check(r, &way, error);
}

static sherd_status render_to(replay *r, char folder[OUTPUT_PATH], sherd_error *error)
{
    sherd_status status = check_place(r, folder, error);
    if (status == SHERD_OK) status = sherd_folder_create(folder, error);
    return status == SHERD_OK ? replay_frames(r, write_picture, folder, error) : status;
}

int command_render(const command_options *options)
{
    replay r;
    sherd_error error = {0};
    char run[OUTPUT_PATH], folder[OUTPUT_PATH];
    int code = replay_open(&r, options, REPLAY_MESHES);
    if (code == 0) {
        replay_folder(&r, run);
        if (options->output != NULL)
            snprintf(folder, sizeof folder, "%s", options->output);
        else
            output_path(run, "frames", folder);
        if (render_to(&r, folder, &error) != SHERD_OK) code = message_error(&error);
    }
    if (code == 0) make_video(&r, folder);
    char shown[MESSAGE_NAME];
    if (code == 0 && !options->quiet) printf("written to %s\n", message_name(folder, shown));
    if (code == 0) code = replay_status(&r);
    replay_close(&r);
    return code;
}
