// A body's pieces by marching tetrahedra.
#pragma once

#include "surface/methods/march/grid.h"
#include "surface/methods/solid/solid_update.h"

// Which pieces have surface in which block.
typedef struct block_pieces {
    int32_t *start; // (blocks + 1)
    sherd_fragment_id *label;
} block_pieces;

typedef struct march_state {
    grid grid;
    block_pieces touched; // at the last update
    const struct fluid
        *fluid; // whose level set the surface is; NULL: the shape's and the partition's
} march_state;

// With a shape, or for a fluid without (NULL). Release in any case.
sherd_status sherd_march_create(march_state *m, const solid_body *b, const sherd_shape *shape,
                                const sherd_parallel *parallel, sherd_error *error);
void sherd_march_release(march_state *m);

// Results of the frame before.
typedef enum march_memory {
    MARCH_AFRESH, // nothing: it was not marched
    MARCH_ON,     // all of it
} march_memory;

// Makes the pieces. False when memory is short.
bool sherd_body_march(solid_update *u, march_state *state, march_memory memory,
                      const sherd_parallel *parallel);
