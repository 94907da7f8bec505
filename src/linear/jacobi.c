#include "linear/jacobi.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "linear/pcg.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

typedef struct jacobi {
    sherd_linear_matrix matrix;
    sherd_pcg pcg;
    float *inverse; // of the diagonal blocks (21 x stride)
    size_t stride;
    sherd_parallel parallel;
} jacobi;

static void destroy(void *self)
{
    jacobi *j = self;
    sherd_linear_matrix_free(&j->matrix);
    sherd_pcg_free(&j->pcg);
    sherd_free(j->inverse);
    sherd_free(j);
}

static void *create(sherd_error *error)
{
    jacobi *j = sherd_alloc(1, sizeof *j);
    if (j == NULL) sherd_fail_memory(error, "linear solver");
    return j;
}

static sherd_status make_room(jacobi *j, size_t stride, sherd_error *error)
{
    if (j->inverse == NULL || j->stride != stride) {
        sherd_free(j->inverse);
        j->stride = stride;
        j->inverse = sherd_alloc(SHERD_NODE_BLOCK * stride, sizeof *j->inverse);
        if (j->inverse == NULL) return sherd_fail_memory(error, "diagonal blocks");
    }
    return sherd_pcg_resize(&j->pcg, SHERD_NODE_FREEDOMS * stride, error);
}

static sherd_status prepare(void *self, const sherd_linear_system *system, sherd_error *error)
{
    jacobi *j = self;
    size_t nodes = sherd_node_count(system), stride = sherd_node_stride(nodes);
    j->parallel = system->parallel;
    sherd_status status = sherd_linear_matrix_prepare(&j->matrix, system, error);
    if (status == SHERD_OK) status = make_room(j, stride, error);
    if (status != SHERD_OK) return status;
    sherd_linear_matrix_diagonal(&j->matrix, j->inverse);
    return sherd_block_jacobi_invert(j->inverse, nodes, stride, &j->parallel, error);
}

static void precondition(void *context, const float *r, float *z, size_t begin, size_t end)
{
    const jacobi *j = context;
    sherd_block_jacobi_apply_range(j->inverse, j->stride, r, z, begin, end);
}

static sherd_status solve(void *self, const double *b, double *x, const sherd_linear_goal *goal,
                          sherd_linear_report *report, sherd_error *error)
{
    jacobi *j = self;
    return sherd_pcg_solve_by_node(&j->pcg, &j->matrix, precondition, j, b, x, goal, report, error);
}

static size_t bytes(const void *self)
{
    const jacobi *j = self;
    return sherd_linear_matrix_bytes(&j->matrix) + sherd_pcg_bytes(&j->pcg) +
           SHERD_NODE_BLOCK * j->stride * sizeof *j->inverse;
}

const sherd_linear_backend sherd_linear_jacobi = {
    .name = "jacobi",
    .create = create,
    .prepare = prepare,
    .solve = solve,
    .bytes = bytes,
    .destroy = destroy,
};

enum { N = 6, ENTRIES = 21, CHUNK = 2048, STRIP = 16 };

static int entry(int row, int column)
{
    return row * (row + 1) / 2 + column; // column <= row
}

// ---------------------------------------------------------------- inversion

// Processes LANES blocks at a time, one per lane.
enum { LANES = 8 };
typedef double block_lanes[ENTRIES][LANES];

// sum -= x y
static inline void subtract(double *restrict sum, const double *x, const double *y)
{
    for (int l = 0; l < LANES; ++l)
        sum[l] -= x[l] * y[l];
}

// A = L L', with 1 / L on the diagonal. In lanes that are not positive definite a diagonal entry is
// not positive or not finite.
static inline void factor(block_lanes a)
{
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c) {
            double *sum = a[entry(r, c)];
            for (int k = 0; k < c; ++k)
                subtract(sum, a[entry(r, k)], a[entry(c, k)]);
            for (int l = 0; l < LANES; ++l)
                sum[l] = c < r ? sum[l] * a[entry(c, c)][l] : 1.0 / sqrt(sum[l]);
        }
}

// L -> L^-1, row by row in place.
static inline void invert_factor(block_lanes a)
{
    for (int r = 0; r < N; ++r)
        for (int c = 0; c < r; ++c) {
            double sum[LANES] = {0};
            for (int k = c; k < r; ++k)
                subtract(sum, a[entry(r, k)], a[entry(k, c)]);
            for (int l = 0; l < LANES; ++l)
                a[entry(r, c)][l] = sum[l] * a[entry(r, r)][l];
        }
}

// A^-1 = L^-T L^-1, in place: entry (r, c) needs rows r and below of L^-1.
static inline void multiply_factors(block_lanes a)
{
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c) {
            double sum[LANES] = {0};
            for (int k = r; k < N; ++k)
                subtract(sum, a[entry(k, r)], a[entry(k, c)]);
            for (int l = 0; l < LANES; ++l)
                a[entry(r, c)][l] = -sum[l];
        }
}

// Displacements and rotations may differ by many orders of magnitude: blocks are scaled to a unit
// diagonal and back.
static inline void scale(block_lanes a, double scales[N][LANES])
{
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c)
            for (int l = 0; l < LANES; ++l)
                a[entry(r, c)][l] *= scales[r][l] * scales[c][l];
}

SHERD_WIDE(static, void, invert, (block_lanes a, bool good[LANES]), (a, good))
{
    double scales[N][LANES];
    for (int r = 0; r < N; ++r)
        for (int l = 0; l < LANES; ++l)
            scales[r][l] = 1.0 / sqrt(a[entry(r, r)][l]);
    scale(a, scales);
    factor(a);
    for (int l = 0; l < LANES; ++l) {
        good[l] = true;
        for (int r = 0; r < N; ++r)
            good[l] = good[l] && isfinite(a[entry(r, r)][l]) && a[entry(r, r)][l] > 0.0;
    }
    invert_factor(a);
    multiply_factors(a);
    scale(a, scales);
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
    for (size_t k = begin; k < end; k += LANES) {
        block_lanes a;
        bool good[LANES];
        for (size_t n = 0; n < ENTRIES; ++n)
            for (size_t l = 0; l < LANES; ++l)
                a[n][l] = (double)in->blocks[n * in->stride + k + l];
        invert(a, good);
        for (size_t n = 0; n < ENTRIES; ++n)
            for (size_t l = 0; l < LANES; ++l)
                in->blocks[n * in->stride + k + l] = k + l < in->nodes ? (float)a[n][l] : 0.0F;
        for (size_t l = 0; l < LANES; ++l)
            if (k + l < in->nodes && !good[l]) note_bad(in, k + l);
    }
}

sherd_status sherd_block_jacobi_invert(float *blocks, size_t nodes, size_t stride,
                                       const sherd_parallel *parallel, sherd_error *error)
{
    SHERD_ASSERT(nodes <= stride, "columns have room for all nodes");
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

// ---------------------------------------------------------------- application

// Adds one entry and its transpose for one strip: out += m in.
static inline void add_entry(const float *restrict m, int row, int column, float in[N][STRIP],
                             float out[N][STRIP])
{
    for (int l = 0; l < STRIP; ++l)
        out[row][l] += m[l] * in[column][l];
    for (int l = 0; l < STRIP && column < row; ++l)
        out[column][l] += m[l] * in[row][l];
}

SHERD_WIDE(extern, void, sherd_block_jacobi_apply_range,
           (const float *inverse, size_t stride, const float *r, float *z, size_t begin,
            size_t end),
           (inverse, stride, r, z, begin, end))
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
