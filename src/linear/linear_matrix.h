// The matrix of a linear system in single precision, never stored: the model's part
// (linear_operator.h), the inertia of bodies, the springs of contacts and held freedoms. Products
// with it, and its 6 x 6 diagonal blocks, take most of the time of iterations.
#pragma once

#include "linear/linear_system.h"
#include "linear/spring_set.h"

enum { SHERD_NODE_BLOCK = 21 }; // entries of a symmetric 6 x 6 block

// Valid when zero-filled.
typedef struct sherd_linear_matrix {
    const sherd_linear_operator *model;
    void *state; // borrowed
    sherd_parallel parallel;
    sherd_linear_parts parts;
    size_t points, nodes, stride;

    double *energy; // by part; owned
    size_t energy_capacity;
    sherd_node_inertia *bodies; // times c; owned
    size_t body_count, body_capacity;
    sherd_element_index *held; // points with held freedoms, ascending; owned
    uint8_t *held_bits;        // owned
    size_t held_count, held_capacity, held_bits_capacity;
    sherd_spring_set springs;
} sherd_linear_matrix;

// Copies or references the system's present state for products, and prepares its model.
sherd_status sherd_linear_matrix_prepare(sherd_linear_matrix *matrix,
                                         const sherd_linear_system *system, sherd_error *error);
void sherd_linear_matrix_free(sherd_linear_matrix *matrix);
size_t sherd_linear_matrix_bytes(const sherd_linear_matrix *matrix); // without the model's memory

// y = A x. Held freedoms of x must be 0; those of y become 0. x and y do not overlap.
void sherd_linear_matrix_apply(sherd_linear_matrix *matrix, const float *x, float *y);

// A product fused with the operations before and after it, so that vectors pass through the
// processor once:  x = z + beta x_before,  y = A x,  x . y,  then a callback for every part of y.
// No two of the vectors overlap.
typedef struct sherd_linear_product {
    const float *x; // x_before if z is given
    const float *z; // NULL: x is used unchanged
    float beta;
    float *turned; // receives the new x, if z is given
    float *y;
    bool with_energy;
    double energy; // x . y, if requested; available before `then` is called
    // Called once for every part [begin, end) of indices 0 ... sherd_node_stride - 1, from several
    // threads at once, when that part of y is final. Parts begin at multiples of parts.length and
    // end at multiples of SHERD_NODE_LANES. May be NULL.
    sherd_chunk_function *then;
    void *context; // of `then`
} sherd_linear_product;

void sherd_linear_matrix_multiply(sherd_linear_matrix *matrix, sherd_linear_product *product);

// The diagonal block of every node, symmetric, packed as 21 columns of sherd_node_stride numbers:
// column r (r + 1) / 2 + c contains entry (r, c), c <= r. Held freedoms have 1 on the diagonal and
// 0 elsewhere. Entries beyond the last node become 0.
void sherd_linear_matrix_diagonal(sherd_linear_matrix *matrix, float *blocks);
// Sets held freedoms of nodes [begin, end) to zero, or their diagonal blocks to those of the
// identity.
void sherd_linear_matrix_hold(const sherd_linear_matrix *matrix, float *x, size_t begin,
                              size_t end);
void sherd_linear_matrix_hold_blocks(const sherd_linear_matrix *matrix, float *blocks, size_t begin,
                                     size_t end);
// Sets held freedoms and entries beyond the last node to 0.
void sherd_linear_matrix_clear_held(const sherd_linear_matrix *matrix, float *x);
