#include "output/pictures/video.h"

#include "output/files/output_names.h"

#include <sherd/render.h>

#include <math.h>
#include <stdio.h>

// Percent signs in the folder's name are doubled, as they are not placeholders.
static void make_pattern(const char *folder, char pattern[2 * OUTPUT_PATH])
{
    size_t used = 0;
    for (const char *at = folder; *at != '\0' && used + 32 < 2 * OUTPUT_PATH; ++at) {
        if (*at == '%') pattern[used++] = '%';
        pattern[used++] = *at;
    }
    snprintf(pattern + used, 32, "/frame_%%06d.png");
}

sherd_status sherd_video_write(const sherd_video_def *def, sherd_output_list *own, const char *path,
                               sherd_error *error)
{
    char pattern[2 * OUTPUT_PATH];
    make_pattern(def->pictures, pattern);
    double rate = fmin(fmax(def->frame_rate, 1.0), SHERD_VIDEO_RATE_MAX);
    sherd_status status = sherd_output_list_begin(own, path, error);
    if (status == SHERD_OK)
        status =
            sherd_video_from_frames(pattern, (int)def->first, (int)def->last, rate, path, error);
    return status == SHERD_OK ? sherd_output_list_end(own, path, error) : status;
}
