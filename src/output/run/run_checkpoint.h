// Checkpoints of a run: the world, identities of fragments, and the probes' readings of the frame in progress.
#pragma once

#include "output/run/run_state.h"

sherd_status sherd_run_checkpoint_write(sherd_run_loop *loop, sherd_error *error);

// Brings the run to where the checkpoint was written.
sherd_status sherd_run_checkpoint_restore(sherd_run_loop *loop,
                                          const sherd_run_checkpoint *checkpoint,
                                          sherd_error *error);

// A probe's reading for the frame in progress. Grows the list.
sherd_status sherd_run_add_reading(sherd_run_loop *loop, int probe, int64_t frame, double time,
                                   sherd_probe_reading reading, sherd_error *error);
