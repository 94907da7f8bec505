// The product with a linear system's matrix, matrix-free and in single precision, and its 6 x 6 diagonal
// blocks: what iterations spend their time in.
#pragma once

#include "linear/linear_system.h"

typedef struct sherd_tangent sherd_tangent;

enum { SHERD_NODE_BLOCK = 21 }; // entries of a symmetric 6 x 6 block

sherd_tangent *sherd_tangent_create(sherd_error *error);
void sherd_tangent_destroy(sherd_tangent *tangent); // NULL is fine
// Takes over what products need of the system's present state, in single precision. Blocks of bonds are
// only borrowed: they must stay as they are until the next call.
sherd_status sherd_tangent_prepare(sherd_tangent *tangent, const sherd_linear_system *system,
                                   sherd_error *error);

// y = A x. Held freedoms of x must be 0; those of y become 0. x and y do not overlap.
void sherd_tangent_apply(sherd_tangent *tangent, const float *x, float *y);

// A product together with what comes before and after it, so that vectors pass through the processor
// once:  x = z + beta x_before,  y = A x,  x . y,  then something with every part of y.
// No two of the vectors overlap.
typedef struct sherd_tangent_product {
    const float *x; // x_before where z is given
    const float *z; // NULL: x as it is
    float beta;
    float *turned; // where the new x goes, when z is given
    float *y;
    bool with_energy;
    double energy; // x . y, if wanted; known before `then` is called
    // Called once for every part [begin, end) of places 0 ... sherd_node_stride - 1, from several threads
    // at once, when that part of y is final. Parts begin and end at multiples of SHERD_NODE_LANES; part
    // number `begin / sherd_tangent_part_length` is below sherd_tangent_part_count. May be NULL.
    sherd_chunk_function *then;
    void *context; // of `then`
} sherd_tangent_product;

void sherd_tangent_multiply(sherd_tangent *tangent, sherd_tangent_product *product);
size_t sherd_tangent_part_count(const sherd_tangent *tangent);
// Of every part but the last.
size_t sherd_tangent_part_length(const sherd_tangent *tangent);

// The diagonal block of every node, symmetric, packed as 21 columns of sherd_node_stride numbers:
// column r (r + 1) / 2 + c holds entry (r, c), c <= r. Held freedoms have 1 on the diagonal and 0 beside
// it. Places beyond the last node become 0.
void sherd_tangent_diagonal(sherd_tangent *tangent, float *blocks);
// Sets held freedoms and places beyond the last node to 0.
void sherd_tangent_clear_held(const sherd_tangent *tangent, float *x);
// The threads of the last prepared system.
const sherd_parallel *sherd_tangent_parallel(const sherd_tangent *tangent);
size_t sherd_tangent_bytes(const sherd_tangent *tangent);
