// Pictures and files of single frames, made beside the simulation.
//
// They are made from the frames of the run file, in order, by one thread, to which the simulation
// lends one of its own. Where it falls behind, the simulation goes on, and what is left is made with
// all threads at the end. With one thread, or without pictures, which take nearly all of the time,
// each frame's files are made before the next step. So files do not depend on timing or threads, and
// are those of `sherd render` and `sherd export`.
//
// A run that stops leaves pictures out. Resumed, it begins with the first missing one.
#pragma once

#include "output/pictures/picture.h"
#include "output/run/run_state.h"

// NULL with an error. `loop` must outlive it.
sherd_frame_outputs *sherd_frame_outputs_create(sherd_run_loop *loop, sherd_error *error);
// Waits for the picture in progress. NULL is fine.
void sherd_frame_outputs_destroy(sherd_frame_outputs *outputs);

// Meshes of the frame that was last made; NULL: none are needed.
sherd_picture_maker *sherd_frame_outputs_meshes(sherd_frame_outputs *outputs);
// Whether they use the model's reference positions. Those of whole runs read them from the run file.
bool sherd_frame_outputs_use_rest(const sherd_frame_outputs *outputs);
const sherd_dust *sherd_frame_outputs_dust(const sherd_frame_outputs *outputs);

// The run file has got frame `index`. Fails if an earlier frame's files could not be made.
sherd_status sherd_frame_outputs_add(sherd_frame_outputs *outputs, int64_t index,
                                     sherd_error *error);
// Wall time spent so far on surfaces and pictures, on either thread [s].
void sherd_frame_outputs_walls(sherd_frame_outputs *outputs, double *surfaces, double *pictures);
// After the last frame: frees the meshes and what pictures are made with. NULL is fine.
void sherd_frame_outputs_release_meshes(sherd_frame_outputs *outputs);
// Waits for the picture in progress; `all`: then makes what is left.
sherd_status sherd_frame_outputs_end(sherd_frame_outputs *outputs, bool all, sherd_error *error);
