// Going on where a folder's run stopped.
#pragma once

#include "output/run/run_state.h"

// Continues from the folder's checkpoint. Starts from the beginning where there is no run yet, or this very run
// without a checkpoint: callers that always ask to resume expect that.
sherd_status sherd_run_resume(sherd_run_loop *loop, sherd_error *error);
