// The largest eigenvalue of a symmetric positive semi-definite operator, by Lanczos iteration.
#pragma once

#include "base/parallel.h"

#include <sherd/error.h>

#include <stddef.h>

typedef void sherd_operator(const void *context, const double *x, double *y); // y = A x

// An operator with what its products share. Frees `context` with `release`, unless that is NULL.
typedef struct sherd_prepared_operator {
    sherd_operator *apply;
    void *context;
    void (*release)(void *context);
} sherd_prepared_operator;

typedef struct sherd_eigenvalue {
    double estimate; // Ritz value, never above the true one
    double bound;    // estimate + residual: in practice an upper bound of the largest eigenvalue
    int iterations;
} sherd_eigenvalue;

// Iterates until the residual is below `tolerance` relative to the estimate, at most
// `max_iterations` times. The start vector is random with a fixed seed: results are reproducible.
sherd_status sherd_largest_eigenvalue(sherd_operator *apply, const void *context, size_t size,
                                      double tolerance, int max_iterations,
                                      const sherd_parallel *parallel, sherd_eigenvalue *result,
                                      sherd_error *error);
