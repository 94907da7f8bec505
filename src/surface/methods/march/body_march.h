// A body's pieces by marching tetrahedra.
#pragma once

#include "surface/methods/march/grid.h"
#include "surface/methods/solid/solid_update.h"

// Which pieces have surface in each block.
typedef struct block_pieces {
    int32_t *start; // (blocks + 1)
    sherd_fragment_id *label;
} block_pieces;

typedef struct march_state {
    grid grid;
    block_pieces touched; // at the last update
    // Its level set is the surface; NULL: the surface follows the shape and the partition.
    const struct fluid *fluid;
} march_state;

// Requires a shape, or for a fluid none (NULL). Call release in any case.
sherd_status sherd_march_create(march_state *m, const solid_body *b, const sherd_shape *shape,
                                const sherd_parallel *parallel, sherd_error *error);
void sherd_march_release(march_state *m);

// Which results of the previous frame are valid.
typedef enum march_memory {
    MARCH_AFRESH, // none: the body was not marched
    MARCH_ON,     // all
} march_memory;

// Builds the pieces. Returns false when out of memory.
bool sherd_body_march(solid_update *u, march_state *state, march_memory memory,
                      const sherd_parallel *parallel);
