// Finds the chunks of each frame in a run file.
#pragma once

#include "output/run_file/chunk_file.h"

// The STEP and FRAM chunk of a frame. -1: missing, or its header is damaged.
typedef struct sherd_run_chunks {
    int64_t step, arrays; // indices in the file's list of chunks
} sherd_run_chunks;

// The frames up to the last one that has both chunks; free `*frames` with sherd_free.
sherd_status sherd_run_find_frames(const sherd_chunk_file *file, size_t first_chunk,
                                   sherd_run_chunks **frames, int64_t *count, sherd_error *error);

// SHERD_ERROR_INPUT that names the missing chunks of a frame.
sherd_status sherd_run_fail_missing(const sherd_chunk_file *file, int64_t frame,
                                    sherd_error *error);
