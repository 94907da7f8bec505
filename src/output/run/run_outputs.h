// Pictures and exported files that a run writes, as its scene requests.
#pragma once

#include "output/run/run_state.h"

// Creates the folders. Removes files of an earlier run that could be mistaken for this one's.
sherd_status sherd_outputs_open(sherd_run_loop *loop, sherd_error *error);

// Writes pictures and files of one frame.
sherd_status sherd_outputs_frame(sherd_run_loop *loop, const sherd_run_frame *frame,
                                 sherd_error *error);

// Writes lists over time, also of an interrupted run.
sherd_status sherd_outputs_lists(sherd_run_loop *loop, sherd_error *error);

// Writes formats made of all frames, when the run is finished. They are made from the run file
// alone, so the result does not depend on interruptions.
sherd_status sherd_outputs_whole(sherd_run_loop *loop, sherd_error *error);

// True if the run makes pictures.
bool sherd_outputs_pictures(const sherd_run_loop *loop);

// Bit k: the run writes format k.
uint32_t sherd_outputs_formats(const sherd_run_loop *loop);

void sherd_outputs_video(sherd_run_loop *loop);
