// Levels of few clusters, solved exactly: cycles over the levels below them would take longer than a product with
// the inverse of their matrix.
#pragma once

#include "linear/multigrid/coarse_level.h"

enum { SHERD_COARSE_MOST_DENSE = 8 }; // clusters in use

// Once all springs of a level are there: its inverse, where it is small enough and can be inverted. Others lose
// theirs.
sherd_status sherd_coarse_dense_refresh(sherd_coarse_level *level, sherd_error *error);

size_t sherd_coarse_dense_bytes(const sherd_coarse_level *level);

static inline bool sherd_coarse_is_dense(const sherd_coarse_level *level)
{
    return level->inverse_size > 0;
}

// SOLUTION = A^-1 RIGHT
void sherd_coarse_dense_solve(const sherd_coarse_level *level);
