// Arithmetic on long vectors of single precision, for iterative solvers. Sums are formed in double
// precision in chunks of fixed size: results do not depend on the number of threads.
#pragma once

#include "base/parallel.h"

// a . b
double sherd_vector_dot(const float *a, const float *b, size_t size,
                        const sherd_parallel *parallel);

typedef struct sherd_vector_dots {
    double first, second;
} sherd_vector_dots;

// a . c and b . c in one pass.
sherd_vector_dots sherd_vector_dot_two(const float *a, const float *b, const float *c, size_t size,
                                       const sherd_parallel *parallel);

// For entries [begin, end), on the calling thread:

double sherd_vector_dot_range(const float *a, const float *b, size_t begin, size_t end);
// x += alpha p, r -= alpha q
void sherd_vector_advance_range(double *x, float *r, double alpha, const float *p, const float *q,
                                size_t begin, size_t end);
