// PC2 point caches: the positions of a mesh's vertices over time. They move the vertices of an .obj (obj_write.h) and
// are written in the same y-up axes: (x, y, z) as (x, z, -y).
#pragma once

#include <sherd/error.h>

#include <stdint.h>

typedef struct sherd_pc2 sherd_pc2;

// Creates a cache of `frame_count` frames of `point_count` points; playback starts at frame 1.
sherd_pc2 *sherd_pc2_create(const char *path, int64_t point_count, int64_t frame_count,
                            sherd_error *error);
// Appends points to the current frame: x, y, z [m] (count x 3).
void sherd_pc2_add(sherd_pc2 *cache, int64_t count, const double *points);
// Finishes the file and frees the cache, also on failure; then there is no file. Fails unless all
// points of all frames were added.
sherd_status sherd_pc2_finish(sherd_pc2 *cache, sherd_error *error);
void sherd_pc2_abort(sherd_pc2 *cache); // no file; NULL is fine
