// Which chunks of a run file make up which frame.
#pragma once

#include "output/run_file/chunk_file.h"

// A STEP and a FRAM chunk of one index. -1: it is not there, or its header is damaged.
typedef struct sherd_run_chunks {
    int64_t step, arrays; // in the file's list of chunks
} sherd_run_chunks;

// The frames up to the last that has both chunks; `*frames` is freed with sherd_free.
sherd_status sherd_run_find_frames(const sherd_chunk_file *file, size_t first_chunk,
                                   sherd_run_chunks **frames, int64_t *count, sherd_error *error);

// SHERD_ERROR_INPUT: what is missing of a frame.
sherd_status sherd_run_fail_missing(const sherd_chunk_file *file, int64_t frame,
                                    sherd_error *error);
