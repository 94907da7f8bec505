#include "solver/block_jacobi.h"

#include "base/cpu.h"
#include "base/error.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

enum { N = 6, ENTRIES = 21, CHUNK = 2048, STRIP = 16 };

static int entry(int row, int column)
{
    return row * (row + 1) / 2 + column; // column <= row
}

// ---------------------------------------------------------------- inverting

// A = L L'; false when A is not positive definite.
static bool factor(double a[ENTRIES])
{
    for (int r = 0; r < N; ++r) {
        for (int c = 0; c <= r; ++c) {
            double sum = a[entry(r, c)];
            for (int k = 0; k < c; ++k)
                sum -= a[entry(r, k)] * a[entry(c, k)];
            if (c < r)
                a[entry(r, c)] = sum / a[entry(c, c)];
            else if (sum > 0.0 && isfinite(sum))
                a[entry(r, r)] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

// L -> L^-1, row by row: what is overwritten is not needed again.
static void invert_factor(double l[ENTRIES])
{
    for (int r = 0; r < N; ++r) {
        double pivot = 1.0 / l[entry(r, r)];
        for (int c = 0; c < r; ++c) {
            double sum = 0.0;
            for (int k = c; k < r; ++k)
                sum += l[entry(r, k)] * l[entry(k, c)];
            l[entry(r, c)] = -pivot * sum;
        }
        l[entry(r, r)] = pivot;
    }
}

// A^-1 = L^-T L^-1
static void multiply_factors(const double m[ENTRIES], double inverse[ENTRIES])
{
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c) {
            double sum = 0.0;
            for (int k = r; k < N; ++k)
                sum += m[entry(k, r)] * m[entry(k, c)];
            inverse[entry(r, c)] = sum;
        }
}

// Displacements and rotations may differ by many orders: scaled to a diagonal of ones first.
static bool invert(double a[ENTRIES], double inverse[ENTRIES])
{
    double scale[N];
    for (int k = 0; k < N; ++k) {
        if (!(a[entry(k, k)] > 0.0)) return false;
        scale[k] = 1.0 / sqrt(a[entry(k, k)]);
    }
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c)
            a[entry(r, c)] *= scale[r] * scale[c];
    if (!factor(a)) return false;
    invert_factor(a);
    multiply_factors(a, inverse);
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c)
            inverse[entry(r, c)] *= scale[r] * scale[c];
    return true;
}

typedef struct inversion {
    float *blocks;
    size_t nodes, stride;
    atomic_size_t first_bad; // lowest node whose block has no inverse
} inversion;

static void note_bad(inversion *in, size_t node)
{
    size_t lowest = atomic_load(&in->first_bad);
    while (node < lowest && !atomic_compare_exchange_weak(&in->first_bad, &lowest, node)) {
    }
}

static void invert_chunk(void *context, size_t begin, size_t end)
{
    inversion *in = context;
    for (size_t k = begin; k < end; ++k) {
        double a[ENTRIES], inverse[ENTRIES] = {0};
        for (int n = 0; n < ENTRIES; ++n)
            a[n] = (double)in->blocks[(size_t)n * in->stride + k];
        if (k < in->nodes && !invert(a, inverse)) note_bad(in, k);
        for (int n = 0; n < ENTRIES; ++n)
            in->blocks[(size_t)n * in->stride + k] = (float)inverse[n];
    }
}

sherd_status sherd_block_jacobi_invert(float *blocks, size_t nodes, size_t stride,
                                       const sherd_parallel *parallel, sherd_error *error)
{
    inversion in = {.blocks = blocks, .nodes = nodes, .stride = stride};
    atomic_init(&in.first_bad, nodes);
    sherd_parallel_for(parallel, stride, CHUNK, invert_chunk, &in);
    size_t bad = atomic_load(&in.first_bad);
    if (bad == nodes) return SHERD_OK;
    return sherd_fail(
        error, SHERD_ERROR_UNSTABLE, "linear solver",
        "its stiffness and inertia are zero, negative or out of range",
        "the diagonal block of node %zu (element, or body beyond them) is not positive "
        "definite",
        bad);
}

// ---------------------------------------------------------------- applying

// out += m in for one strip and one entry, and for its mirror image.
static inline void add_entry(const float *restrict m, int row, int column, float in[N][STRIP],
                             float out[N][STRIP])
{
    for (int l = 0; l < STRIP; ++l)
        out[row][l] += m[l] * in[column][l];
    for (int l = 0; l < STRIP && column < row; ++l)
        out[column][l] += m[l] * in[row][l];
}

SHERD_WIDE_VECTORS
void sherd_block_jacobi_apply_range(const float *inverse, size_t stride, const float *r, float *z,
                                    size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k += STRIP) {
        float in[N][STRIP], out[N][STRIP] = {{0}};
        for (size_t c = 0; c < N; ++c)
            memcpy(in[c], r + c * stride + k, sizeof in[c]);
        for (int row = 0; row < N; ++row)
            for (int column = 0; column <= row; ++column)
                add_entry(inverse + (size_t)entry(row, column) * stride + k, row, column, in, out);
        for (size_t c = 0; c < N; ++c)
            memcpy(z + c * stride + k, out[c], sizeof out[c]);
    }
}

typedef struct application {
    const float *inverse, *r;
    float *z;
    size_t stride;
} application;

static void apply_chunk(void *context, size_t begin, size_t end)
{
    const application *a = context;
    sherd_block_jacobi_apply_range(a->inverse, a->stride, a->r, a->z, begin, end);
}

void sherd_block_jacobi_apply(const float *inverse, size_t stride, const float *r, float *z,
                              const sherd_parallel *parallel)
{
    application a = {inverse, r, z, stride};
    sherd_parallel_for(parallel, stride, CHUNK, apply_chunk, &a);
}
