// Resumes the run of a folder.
#pragma once

#include "output/run/run_state.h"

// Continues from the folder's checkpoint. Starts from the beginning if there is no run, or if this
// run has no checkpoint, so that callers may always ask to resume.
sherd_status sherd_run_resume(sherd_run_loop *loop, sherd_error *error);
