// sherd render: pictures and video of a run folder, without simulating.
#include "commands.h"
#include "message.h"
#include "outputs.h"
#include "replay.h"

#include <sherd/file.h>

#include <stdio.h>

static sherd_status write_picture(const replay *r, const sherd_run_frame *frame, void *context,
                                  sherd_error *error)
{
    const char *folder = context;
    char path[1024];
    snprintf(path, sizeof path, "%s/frame_%06lld.png", folder, (long long)frame->index);
    return picture_maker_render(r->pictures, path, error);
}

// The video lies beside the folder of the run's own pictures, else among the pictures.
static void make_video(const replay *r, const char *pictures)
{
    char pattern[1100], folder[1024], path[1100];
    snprintf(pattern, sizeof pattern, "%s/frame_%%06d.png", pictures);
    if (r->options->output != NULL)
        snprintf(folder, sizeof folder, "%s", pictures);
    else
        replay_folder(r, folder, sizeof folder);
    snprintf(path, sizeof path, "%s/video.mp4", folder);
    sherd_error error;
    double rate = outputs_video_rate(r->scene->output.frame_rate);
    if (sherd_video_from_frames(pattern, (int)r->first, (int)r->last, rate, path, &error) !=
        SHERD_OK)
        fprintf(stderr, "no video: %s\n", error.what);
}

int command_render(const command_options *options)
{
    replay r;
    sherd_error error = {0};
    char run[1000], folder[1024];
    int code = replay_open(&r, options, REPLAY_MESHES);
    if (code == 0) {
        replay_folder(&r, run, sizeof run);
        snprintf(folder, sizeof folder, "%s%s", options->output != NULL ? options->output : run,
                 options->output != NULL ? "" : "/frames");
        sherd_status status = sherd_folder_create(folder, &error);
        if (status == SHERD_OK) status = replay_frames(&r, write_picture, folder, &error);
        if (status != SHERD_OK) code = message_error(&error);
    }
    if (code == 0) make_video(&r, folder);
    if (code == 0 && !options->quiet) printf("written to %s\n", folder);
    replay_close(&r);
    return code;
}
