// What a run leaves for people and other programs: pictures and mesh files as its scene asks.
#pragma once

#include "run/run_state.h"

// Makes the folders. Files of a former run that would be mistaken for this one's are removed.
sherd_status outputs_open(run_loop *loop, sherd_error *error);

// Pictures and mesh files of one frame.
sherd_status outputs_frame(run_loop *loop, const sherd_run_frame *frame, sherd_error *error);

// Lists over time, also of an interrupted run.
sherd_status outputs_lists(const run_loop *loop, sherd_error *error);

// The animation of a whole run. Made from the run file alone: the same whether the run was
// interrupted or not.
sherd_status outputs_animation(const run_loop *loop, sherd_error *error);

// ", frames/, surface/": what there is besides the record of the run.
void outputs_say(const run_loop *loop);
