// The symmetric matrix of one Newton iteration as it comes out of the energy, a block per element and one
// per bond, and two ways to solve with it: L D L' in an envelope, for bodies of up to a few thousand
// elements and for indefinite matrices; conjugate gradients preconditioned with the elements' blocks, for
// larger ones that are positive definite.
#pragma once

#include "research/step_energy.h"

#include <stdbool.h>

typedef struct sherd_block_matrix {
    sherd_element_index count;
    int64_t bond_count;
    const sherd_ref_bond *bonds; // for their ends
    int width;                   // unknowns an element, at most SHERD_BLOCK_LARGEST
    int pair_width;              // of them, the first ones, bonds couple
    double *nodes;               // (count x width x width)
    double *pairs;               // (bond_count x 2 pair_width x 2 pair_width)
    const bool *fixed;           // unknowns that stay 0 (count x width)
} sherd_block_matrix;

enum { SHERD_BLOCK_LARGEST = 8 };

typedef struct sherd_envelope sherd_envelope;

// Elements are numbered along `order` (a permutation); a good one joins near ones by small differences.
// NULL with SHERD_ERROR_MEMORY.
sherd_envelope *sherd_envelope_create(const sherd_block_matrix *matrix,
                                      const sherd_element_index *order, sherd_error *error);
void sherd_envelope_destroy(sherd_envelope *envelope); // NULL is fine

// Multiplications and additions that a factorisation takes, without making one.
double sherd_envelope_cost(const sherd_block_matrix *matrix, const sherd_element_index *order);

// A = L D L' without pivoting: the matrix is positive definite, or becomes indefinite only by unknowns
// that come after those they constrain (multipliers after their element's other unknowns).
// SHERD_ERROR_UNSTABLE when a pivot vanishes.
sherd_status sherd_envelope_factor(sherd_envelope *envelope, const sherd_block_matrix *matrix,
                                   sherd_error *error);

// Negative pivots of the last factorisation: as many as the matrix has negative eigenvalues.
int64_t sherd_envelope_negative(const sherd_envelope *envelope);

// A x = b (count x width). b and x may be the same.
void sherd_envelope_solve(const sherd_envelope *envelope, const double *b, double *x);

// y = A x; fixed unknowns of x must be 0, those of y become 0.
void sherd_block_matrix_apply(const sherd_block_matrix *matrix, const double *x, double *y);

// Conjugate gradients until the residual's norm has fallen by `tolerance`. *definite becomes false when
// they meet a direction p with p.A p <= 0, where they stop; x is then of no use.
sherd_status sherd_block_matrix_solve(const sherd_block_matrix *matrix, const double *b,
                                      double tolerance, int max_iterations, double *x,
                                      bool *definite, sherd_error *error);
