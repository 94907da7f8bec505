// The product with a linear system's matrix, matrix-free and in single precision, and its 6 x 6 diagonal
// blocks: what iterations spend their time in.
#pragma once

#include "solver/linear_system.h"

typedef struct sherd_tangent sherd_tangent;

enum { SHERD_NODE_BLOCK = 21 }; // entries of a symmetric 6 x 6 block

sherd_tangent *sherd_tangent_create(sherd_error *error);
void sherd_tangent_destroy(sherd_tangent *tangent); // NULL is fine
// Takes over what products need of the system's present state, in single precision. Bonds, blocks and
// adjacency are only borrowed: they must stay as they are until the next call.
sherd_status sherd_tangent_prepare(sherd_tangent *tangent, const sherd_linear_system *system,
                                   sherd_error *error);
// y = A x. Held freedoms of x must be 0; those of y become 0. x and y do not overlap.
void sherd_tangent_apply(sherd_tangent *tangent, const float *x, float *y);
// The diagonal block of every node, symmetric, packed as 21 columns of sherd_node_stride numbers:
// column r (r + 1) / 2 + c holds entry (r, c), c <= r. Held freedoms have 1 on the diagonal and 0 beside
// it. Places beyond the last node become 0.
void sherd_tangent_diagonal(sherd_tangent *tangent, float *blocks);
// Sets held freedoms and places beyond the last node to 0.
void sherd_tangent_clear_held(const sherd_tangent *tangent, float *x);
// The threads of the last prepared system.
const sherd_parallel *sherd_tangent_parallel(const sherd_tangent *tangent);
size_t sherd_tangent_bytes(const sherd_tangent *tangent);
