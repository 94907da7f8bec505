// Solves a symmetric positive definite system in double precision by Cholesky's factorisation of the whole matrix,
// which products with unit vectors give.
#pragma once

#include "base/memory.h"

#include <criterion/criterion.h>
#include <math.h>

typedef void dense_multiply(const void *context, const double *x, double *y); // y = A x

typedef struct dense {
    size_t size;
    const size_t *place; // of unknowns in vectors (size)
    double *a;
} dense;

static inline void dense_fill(dense *d, dense_multiply *multiply, const void *context, double *x,
                              double *y)
{
    for (size_t c = 0; c < d->size; ++c) {
        x[d->place[c]] = 1.0;
        multiply(context, x, y);
        x[d->place[c]] = 0.0;
        for (size_t k = 0; k < d->size; ++k)
            d->a[k * d->size + c] = y[d->place[k]];
    }
}

static inline void dense_factorise(dense *d)
{
    size_t n = d->size;
    for (size_t r = 0; r < n; ++r)
        for (size_t c = 0; c <= r; ++c) {
            double sum = d->a[r * n + c];
            for (size_t k = 0; k < c; ++k)
                sum -= d->a[r * n + k] * d->a[c * n + k];
            d->a[r * n + c] = r == c ? sqrt(sum) : sum / d->a[c * n + c];
        }
}

static inline void dense_substitute(const dense *d, const double *b, double *x)
{
    size_t n = d->size;
    double *y = sherd_alloc(n, sizeof *y);
    for (size_t r = 0; r < n; ++r) {
        double sum = b[d->place[r]];
        for (size_t k = 0; k < r; ++k)
            sum -= d->a[r * n + k] * y[k];
        y[r] = sum / d->a[r * n + r];
    }
    for (size_t r = n; r-- > 0;) {
        double sum = y[r];
        for (size_t k = r + 1; k < n; ++k)
            sum -= d->a[k * n + r] * x[d->place[k]];
        x[d->place[r]] = sum / d->a[r * n + r];
    }
    sherd_free(y);
}

// Vectors have `length` numbers, of which those at place[0 .. size) are unknowns and the others 0. The result is the
// caller's.
static inline double *dense_solve(dense_multiply *multiply, const void *context, size_t length,
                                  const size_t *place, size_t size, const double *b)
{
    dense d = {size, place, sherd_alloc(size * size, sizeof *d.a)};
    double *x = sherd_alloc(length, sizeof *x), *y = sherd_alloc(length, sizeof *y);
    cr_assert(d.a != NULL && x != NULL && y != NULL);
    dense_fill(&d, multiply, context, x, y);
    dense_factorise(&d);
    dense_substitute(&d, b, x);
    sherd_free(d.a), sherd_free(y);
    return x;
}
