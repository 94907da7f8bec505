// The video of the pictures in a folder.
#pragma once

#include "files/own_files.h"

typedef struct video_def {
    const char *pictures; // the folder: frame_000012.png
    int64_t first, last;  // frames
    double frame_rate;    // of the scene [Hz]
} video_def;

// Slow motion, shown at most 30 pictures a second, as film would.
sherd_status video_write(const video_def *def, own_files *own, const char *path,
                         sherd_error *error);
