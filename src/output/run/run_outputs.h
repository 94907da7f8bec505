// Pictures and exported files that a run writes, as its scene requests.
#pragma once

#include "output/formats/format_job.h"
#include "output/run/run_state.h"

// Creates the folders. Removes files of an earlier run that could be mistaken for this one's.
sherd_status sherd_outputs_open(sherd_run_loop *loop, sherd_error *error);

// Writes lists over time, also of an interrupted run.
sherd_status sherd_outputs_lists(sherd_run_loop *loop, sherd_error *error);

// Writes formats made of all frames, when the run is finished. They are made from the run file
// alone, so the result does not depend on interruptions.
sherd_status sherd_outputs_whole(sherd_run_loop *loop, sherd_error *error);

// True if the run makes pictures.
bool sherd_outputs_pictures(const sherd_run_loop *loop);

// Bit k: the run writes format k.
uint32_t sherd_outputs_formats(const sherd_run_loop *loop);

// Whether the run writes a format, and whether that has a file per frame made of meshes.
bool sherd_outputs_wants(const sherd_run_loop *loop, int format);
bool sherd_outputs_wants_meshes(const sherd_run_loop *loop, int format);

// The export to a file or folder, without frames.
sherd_format_job sherd_outputs_job(const sherd_run_loop *loop, int format, const char *path);

void sherd_outputs_video(sherd_run_loop *loop);
