// Reads frames of a run file of which some are damaged.
#pragma once

#include <sherd/replay.h>

// Reads frame `index` or, if it is damaged, the nearest readable frame before it, else after it,
// within first .. last, under the requested index. NULL with an error if there is none.
sherd_run_frame *sherd_readable_frame(sherd_run *run, int64_t index, int64_t first, int64_t last,
                                      sherd_error *error);
