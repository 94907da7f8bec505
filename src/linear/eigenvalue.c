#include "linear/eigenvalue.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>

enum { MAX_ITERATIONS = 200, SUM_CHUNK = 8192 };

typedef struct vector_pair {
    const double *a, *b;
} vector_pair;

static double dot_chunk(void *context, size_t begin, size_t end)
{
    const vector_pair *pair = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += pair->a[k] * pair->b[k];
    return sum;
}

static double dot(const double *a, const double *b, size_t size, const sherd_parallel *parallel)
{
    vector_pair pair = {a, b};
    return sherd_parallel_sum(parallel, size, SUM_CHUNK, dot_chunk, &pair);
}

// Number of eigenvalues of the tridiagonal matrix (alpha, beta) below x, by Sturm's sequence.
static int count_below(const double *alpha, const double *beta, int n, double x)
{
    int count = 0;
    double d = 1.0;
    for (int k = 0; k < n; ++k) {
        double squared_beta = k > 0 ? beta[k - 1] * beta[k - 1] : 0.0;
        d = alpha[k] - x - squared_beta / d;
        if (d == 0.0) d = 1e-300;
        if (d < 0.0) ++count;
    }
    return count;
}

// Largest eigenvalue of the tridiagonal matrix, by bisection inside Gershgorin's bound.
static double largest_tridiagonal(const double *alpha, const double *beta, int n)
{
    double low = 0.0, high = 0.0;
    for (int k = 0; k < n; ++k) {
        double radius = (k > 0 ? beta[k - 1] : 0.0) + (k + 1 < n ? beta[k] : 0.0);
        high = fmax(high, alpha[k] + radius);
    }
    for (int step = 0; step < 60; ++step) {
        double middle = 0.5 * (low + high);
        if (count_below(alpha, beta, n, middle) < n)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// Last component of the normalised eigenvector for eigenvalue x: times beta it is the residual.
static double last_component(const double *alpha, const double *beta, int n, double x)
{
    // From the last row upwards with y_n = 1; growth is harmless, we only need the ratio.
    double y_next = 0.0, y = 1.0, norm2 = 1.0;
    for (int k = n - 1; k > 0; --k) {
        double y_previous =
            ((x - alpha[k]) * y - (k + 1 < n ? beta[k] * y_next : 0.0)) / beta[k - 1];
        y_next = y;
        y = y_previous;
        norm2 += y * y;
        if (norm2 > 1e200) return 0.0;
    }
    return 1.0 / sqrt(norm2);
}

static double start_vector(double *v, size_t size, const sherd_parallel *parallel)
{
    for (size_t k = 0; k < size; ++k)
        v[k] = sherd_random_uniform(1, 1, k) - 0.5;
    double norm = sqrt(dot(v, v, size, parallel));
    for (size_t k = 0; k < size; ++k)
        v[k] /= norm;
    return norm;
}

// w <- (A v - beta v_old - alpha v); returns alpha.
static double lanczos_step(const double *v, const double *v_old, double *w, double beta,
                           size_t size, const sherd_parallel *parallel)
{
    double alpha = dot(v, w, size, parallel);
    for (size_t k = 0; k < size; ++k)
        w[k] -= alpha * v[k] + beta * v_old[k];
    return alpha;
}

sherd_status sherd_largest_eigenvalue(sherd_operator *apply, const void *context, size_t size,
                                      double tolerance, int max_iterations,
                                      const sherd_parallel *parallel, sherd_eigenvalue *result,
                                      sherd_error *error)
{
    SHERD_ASSERT(size > 0 && tolerance > 0.0 && max_iterations > 0,
                 "size, tolerance and iteration limit are positive");
    double *storage = sherd_alloc(3 * size, sizeof *storage);
    if (storage == NULL) return sherd_fail_memory(error, "eigenvalue estimate");
    double *v_old = storage, *v = storage + size, *w = storage + 2 * size;
    double alpha[MAX_ITERATIONS], beta[MAX_ITERATIONS];
    if (max_iterations > MAX_ITERATIONS) max_iterations = MAX_ITERATIONS;
    *result = (sherd_eigenvalue){0};

    start_vector(v, size, parallel);
    for (int k = 0; k < max_iterations; ++k) {
        apply(context, v, w);
        alpha[k] = lanczos_step(v, v_old, w, k > 0 ? beta[k - 1] : 0.0, size, parallel);
        beta[k] = sqrt(dot(w, w, size, parallel));
        double estimate = largest_tridiagonal(alpha, beta, k + 1);
        double residual = beta[k] * last_component(alpha, beta, k + 1, estimate);
        *result = (sherd_eigenvalue){estimate, estimate + residual, k + 1};
        if (!(beta[k] > 1e-14 * estimate) || (k > 2 && residual < tolerance * estimate)) break;
        double *swap = v_old;
        v_old = v;
        v = w;
        w = swap;
        for (size_t c = 0; c < size; ++c)
            v[c] /= beta[k];
    }
    sherd_free(storage);
    return SHERD_OK;
}
