// Checkpoints of a run: the world, fragment numbers, and the probe readings of the current frame.
#pragma once

#include "output/run/run_state.h"

sherd_status sherd_run_checkpoint_write(sherd_run_loop *loop, sherd_error *error);

// Restores the state at the time of the checkpoint.
sherd_status sherd_run_checkpoint_restore(sherd_run_loop *loop,
                                          const sherd_run_checkpoint *checkpoint,
                                          sherd_error *error);

// Adds a probe's reading to the current frame.
sherd_status sherd_run_add_reading(sherd_run_loop *loop, int probe, int64_t frame, double time,
                                   sherd_probe_reading reading, sherd_error *error);
