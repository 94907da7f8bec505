// Frames of a run file of which some are damaged.
#pragma once

#include <sherd/run_file.h>

#include <stdbool.h>
#include <stdint.h>

// Frame `index`, or where it is damaged the nearest before it, else behind it, within FIRST to LAST,
// under that index. NULL with the error when none of them can be read.
sherd_run_frame *readable_frame(sherd_run *run, int64_t index, int64_t first, int64_t last,
                                sherd_error *error);

// How many of the frames FIRST to LAST are damaged. Their numbers, "3, 7 to 9 and more", come in
// `names` unless it is NULL.
enum { DAMAGED_NAMES = 120 };
int64_t damaged_frames(sherd_run *run, int64_t first, int64_t last, char names[DAMAGED_NAMES]);
