// Approximate solution on clusters: a cycle through the levels, with a few inner iterations of
// conjugate gradients on each (the K-cycle of Notay and Vassilevski 2008). Rigid clusters are too
// stiff, by about the same factor on each level, and the inner iterations compensate that.
#pragma once

#include "linear/multigrid/coarse_kernel.h"

enum { SHERD_COARSE_MAX_LEVELS = 32 };

typedef struct sherd_coarse_levels {
    int count;
    sherd_coarse_level level[SHERD_COARSE_MAX_LEVELS]; // finest first
    const sherd_coarse_kernels *kernels;
    sherd_parallel parallel;
} sherd_coarse_levels;

// Solves approximately on the first level for its vector SHERD_COARSE_RIGHT; the result is in
// SHERD_COARSE_SOLUTION.
void sherd_coarse_solve(const sherd_coarse_levels *levels);
// Its cost: the number of processed nodes, counting repetitions.
double sherd_coarse_visits(const sherd_coarse_levels *levels);

// Products of blocks and vectors, node by node, for `vectors` vectors of 16 nodes, in parallel
// chunks of `chunk` vectors.
void sherd_coarse_multiply_blocks(const sherd_coarse_levels *levels,
                                  const sherd_block_product *product, size_t vectors, size_t chunk);

// right = the finer level's load b - t, summed over clusters (t may be NULL).
void sherd_coarse_restrict(const sherd_coarse_levels *levels, int level, const float *b,
                           const float *t);
// Prolongation: z += the rigid motion SHERD_COARSE_SOLUTION of the parent clusters.
void sherd_coarse_add_motion(const sherd_coarse_levels *levels, int level, float *z);
