#include "view/follow.h"

#include "message.h"

#include <sherd/file.h>

#include <stdio.h>
#include <time.h>

static const double APART = 0.1, LATELY = 3.0, LONG = 60.0; // [s]

static int64_t size_of(const char *folder)
{
    char path[MESSAGE_PATH];
    message_path(folder, "run.sherd", path);
    return sherd_file_size(path);
}

static void sleep_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

bool follow_is_written(const char *folder)
{
    int64_t first = size_of(folder);
    for (double waited = 0.0; waited < LATELY; waited += APART) {
        sleep_for(APART);
        if (size_of(folder) != first) return true;
    }
    return false;
}

bool follow_is_whole(const char *folder)
{
    sherd_error ignored;
    sherd_run *run = sherd_run_open(folder, &ignored);
    bool whole =
        run != NULL && sherd_run_frame_count(run) >= sherd_run_get_info(run).frames_planned;
    sherd_run_close(run);
    return whole;
}

// Shows the last complete frame. True if no more frames will come.
static bool show_newest(live *l, const char *folder)
{
    sherd_error ignored;
    sherd_run *run = sherd_run_open(folder, &ignored);
    if (run == NULL) return false;
    sherd_run_model model = sherd_run_get_model(run);
    sherd_run_info info = sherd_run_get_info(run);
    int64_t count = sherd_run_frame_count(run);
    sherd_run_frame *frame = count > 0 ? sherd_run_read_frame(run, count - 1, &ignored) : NULL;
    if (frame != NULL)
        live_show_frame(l, &model, frame, info.frames_planned - 1,
                        (double)(info.frames_planned - 1) * info.frame_interval);
    sherd_run_frame_destroy(frame);
    sherd_run_close(run);
    return count >= info.frames_planned;
}

void follow_run(live *l, const char *folder)
{
    int64_t size = -1;
    double still = 0.0;
    while (!live_is_ending(l) && still < LONG) {
        int64_t now = size_of(folder);
        still = now != size ? 0.0 : still + APART;
        if (now != size && show_newest(l, folder)) return;
        size = now;
        sleep_for(APART);
    }
}
