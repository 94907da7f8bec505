// Levels of few clusters are solved directly: cycles over coarser levels would take longer than a
// product with the inverse of the matrix.
#pragma once

#include "linear/multigrid/coarse_level.h"

enum { SHERD_COARSE_MAX_DENSE = 8 }; // used clusters

// After all springs of a level are set: computes its inverse, if it is small enough and invertible;
// otherwise deletes it.
sherd_status sherd_coarse_dense_refresh(sherd_coarse_level *level, sherd_error *error);

size_t sherd_coarse_dense_bytes(const sherd_coarse_level *level);

static inline bool sherd_coarse_is_dense(const sherd_coarse_level *level)
{
    return level->inverse_size > 0;
}

// SOLUTION = A^-1 RIGHT
void sherd_coarse_dense_solve(const sherd_coarse_level *level);
