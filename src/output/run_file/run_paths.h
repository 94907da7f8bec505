// Names in a run folder, and internals of the reader for resuming writers and for the search for breaks.
#pragma once

#include "output/run_file/run_format.h"

#define SHERD_RUN_NAME "run.sherd"
#define SHERD_CHECKPOINT_NAME "checkpoint.sherd"
#define SHERD_FORMER_CHECKPOINT_NAME "checkpoint-former.sherd"

uint64_t sherd_run_identity(const sherd_run *run);
int64_t sherd_run_first_plan(const sherd_run *run); // frames planned at its start

// Size of the file up to the end of a frame; of -1: up to the end of the model. [bytes] -1 when the
// frame is damaged so that its end isn't known.
int64_t sherd_run_frame_end(const sherd_run *run, int64_t frame);

// SHERD_ERROR_UNSUPPORTED: a run or checkpoint of a former version is not gone on with.
sherd_status sherd_run_fail_former(const char *where, sherd_error *error);
uint32_t sherd_run_format(const sherd_run *run); // its version

// The small part of a frame.
sherd_status sherd_run_read_step(const sherd_run *run, int64_t frame, sherd_owned *owned,
                                 sherd_run_step *step, sherd_error *error);

// Sets `broken` (one byte per bond) to the state in a frame; all intact for -1. Enough that either all
// lists up to the frame or its arrays are undamaged.
sherd_status sherd_run_broken_after(sherd_run *run, int64_t frame, uint8_t *broken,
                                    sherd_error *error);
