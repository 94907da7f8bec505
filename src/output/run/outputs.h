// Output of a run for people and other programs: pictures and files of formats, as its scene asks.
#pragma once

#include "output/run/run_state.h"

// Makes the folders. Files of a former run that would be mistaken for this one's are removed.
sherd_status sherd_outputs_open(sherd_run_loop *loop, sherd_error *error);

// Pictures and files of one frame.
sherd_status sherd_outputs_frame(sherd_run_loop *loop, const sherd_run_frame *frame,
                                 sherd_error *error);

// Lists over time, also of an interrupted run.
sherd_status sherd_outputs_lists(sherd_run_loop *loop, sherd_error *error);

// Formats that are made of all frames at once, of a finished run. Made from the run file alone: the same
// whether the run was interrupted or not.
sherd_status sherd_outputs_whole(sherd_run_loop *loop, sherd_error *error);

// Whether it makes pictures.
bool sherd_outputs_pictures(const sherd_run_loop *loop);

// Bit k: files of format k are made.
uint32_t sherd_outputs_formats(const sherd_run_loop *loop);

void sherd_outputs_video(sherd_run_loop *loop);
