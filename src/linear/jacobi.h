// The inverses of the 6 x 6 diagonal blocks of a tangent: a preconditioner, and part of multigrid's
// smoother.
#pragma once

#include "base/parallel.h"
#include "linear/linear_solver.h"

#include <sherd/error.h>

// The reference backend: conjugate gradients preconditioned with these inverses.
extern const sherd_linear_backend sherd_linear_jacobi;

// Inverts `blocks` in place: 21 columns of `stride` numbers as written by
// sherd_linear_matrix_diagonal. Entries beyond the last node become 0. A block that is not positive
// definite is an error that names the node.
sherd_status sherd_block_jacobi_invert(float *blocks, size_t nodes, size_t stride,
                                       const sherd_parallel *parallel, sherd_error *error);

// z = D^-1 r for nodes [begin, end), multiples of SHERD_NODE_LANES or the stride, with `inverse` from
// sherd_block_jacobi_invert.
void sherd_block_jacobi_apply_range(const float *inverse, size_t stride, const float *r, float *z,
                                    size_t begin, size_t end);
