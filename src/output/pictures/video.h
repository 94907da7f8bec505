// Makes a video of the pictures in a folder.
#pragma once

#include "output/files/output_list.h"

typedef struct sherd_video_def {
    const char *pictures; // the folder: frame_000012.png
    int64_t first, last;  // frames
    double frame_rate;    // of the scene [Hz]
} sherd_video_def;

// Plays in slow motion if necessary, with at most SHERD_VIDEO_RATE_MAX pictures per second.
sherd_status sherd_video_write(const sherd_video_def *def, sherd_output_list *own, const char *path,
                               sherd_error *error);
