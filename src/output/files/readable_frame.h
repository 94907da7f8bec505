// Frames of a run file of which some are damaged.
#pragma once

#include <sherd/replay.h>

// Frame `index`, or where it is damaged the nearest before it, else behind it, within FIRST to LAST,
// under that index. NULL with the error when none of them can be read.
sherd_run_frame *sherd_readable_frame(sherd_run *run, int64_t index, int64_t first, int64_t last,
                                      sherd_error *error);
