// Flexible preconditioned conjugate gradients for a matrix that is not stored, in single precision with double sums.
//
// Directions use Polak and Ribiere's factor, beta = z_new.(r_new - r_old) / z_old.r_old with
// r_new - r_old = -alpha A p: it allows a preconditioner that varies a little from call to call, such
// as a multigrid cycle with an inner iteration. The solution adds up in double precision.
//
// An iteration makes as few passes over the vectors as possible: the next direction p = z + beta p
// is formed where its product begins, and p.A p comes from the energies of edges, so that the step
// length is known and the step taken where the product ends.
#pragma once

#include "linear/linear_matrix.h"
#include "linear/linear_solver.h"

// z = P r with P an approximate inverse of A, symmetric and positive definite. Held freedoms of r
// are 0; those of z must be. r and z do not overlap.
typedef void sherd_precondition(void *context, const float *r, float *z);
// The same for a preconditioner that works node by node, on nodes [begin, end), multiples of
// SHERD_NODE_LANES.
typedef void sherd_precondition_range(void *context, const float *r, float *z, size_t begin,
                                      size_t end);

// Work vectors, columns as in linear_system.h. Valid when zero-filled.
typedef struct sherd_pcg {
    size_t size;                     // of each
    float *r, *z, *p, *p_before, *q; // owned
    float *memory;                   // of all of them; owned
    double *sums;                    // of parts of the matrix, two each; owned
    size_t sums_capacity;
} sherd_pcg;

// Allocates vectors of `size` numbers (6 sherd_node_stride).
sherd_status sherd_pcg_resize(sherd_pcg *pcg, size_t size, sherd_error *error);
void sherd_pcg_free(sherd_pcg *pcg);
size_t sherd_pcg_bytes(const sherd_pcg *pcg);

// Like sherd_linear_backend.solve. The matrix is prepared and has pcg's size.
sherd_status sherd_pcg_solve(sherd_pcg *pcg, sherd_linear_matrix *matrix,
                             sherd_precondition *precondition, void *context, const double *b,
                             double *x, const sherd_linear_goal *goal, sherd_linear_report *report,
                             sherd_error *error);
// With a preconditioner that works node by node, which is applied while r is in the cache.
sherd_status sherd_pcg_solve_by_node(sherd_pcg *pcg, sherd_linear_matrix *matrix,
                                     sherd_precondition_range *precondition, void *context,
                                     const double *b, double *x, const sherd_linear_goal *goal,
                                     sherd_linear_report *report, sherd_error *error);
