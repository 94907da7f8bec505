// File names in a run folder, and internals of the reader for resuming and for finding breaks.
#pragma once

#include "output/run_file/run_format.h"

#define SHERD_RUN_NAME "run.sherd"
#define SHERD_CHECKPOINT_NAME "checkpoint.sherd"
#define SHERD_FORMER_CHECKPOINT_NAME "checkpoint-former.sherd"

uint64_t sherd_run_identity(const sherd_run *run);
int64_t sherd_run_first_plan(const sherd_run *run); // frames planned at the start of the run

// Size of the file up to the end of a frame, or for -1 up to the end of the model. [bytes] -1 if a
// damaged frame has no known end.
int64_t sherd_run_frame_end(const sherd_run *run, int64_t frame);

// SHERD_ERROR_UNSUPPORTED: a run or checkpoint of an older version cannot be resumed.
sherd_status sherd_run_fail_old_format(const char *where, sherd_error *error);
uint32_t sherd_run_format(const sherd_run *run); // its version

// The STEP chunk of a frame.
sherd_status sherd_run_read_step(const sherd_run *run, int64_t frame, sherd_owned *owned,
                                 sherd_run_step *step, sherd_error *error);

// Sets `broken` (one byte per bond) to the state in a frame; all intact for -1. Requires that
// either all lists up to the frame or its arrays are intact.
sherd_status sherd_run_broken_after(sherd_run *run, int64_t frame, uint8_t *broken,
                                    sherd_error *error);
