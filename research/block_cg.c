// Conjugate gradients, preconditioned with the diagonal blocks of elements.
#include "base/error.h"
#include "base/memory.h"
#include "research/block_matrix.h"

#include <math.h>
#include <string.h>

static void apply_node(const sherd_block_matrix *matrix, size_t k, const double *x, double *y)
{
    int w = matrix->width;
    const double *block = matrix->nodes + k * (size_t)(w * w);
    for (int r = 0; r < w; ++r) {
        double sum = 0.0;
        for (int c = 0; c < w; ++c)
            sum += block[r * w + c] * x[k * (size_t)w + (size_t)c];
        y[k * (size_t)w + (size_t)r] = sum;
    }
}

static void add_pair(const sherd_block_matrix *matrix, int64_t b, const double *x, double *y)
{
    int w = matrix->pair_width, n = 2 * w;
    const double *block = matrix->pairs + (size_t)b * (size_t)(n * n);
    size_t i = (size_t)matrix->bonds[b].i * (size_t)matrix->width;
    size_t j = (size_t)matrix->bonds[b].j * (size_t)matrix->width;
    double in[2 * SHERD_BLOCK_LARGEST];
    memcpy(in, x + i, sizeof(double) * (size_t)w);
    memcpy(in + w, x + j, sizeof(double) * (size_t)w);
    for (int r = 0; r < n; ++r) {
        double sum = 0.0;
        for (int c = 0; c < n; ++c)
            sum += block[r * n + c] * in[c];
        y[(r < w ? i : j) + (size_t)(r % w)] += sum;
    }
}

void sherd_block_matrix_apply(const sherd_block_matrix *matrix, const double *x, double *y)
{
    size_t count = (size_t)matrix->count;
    for (size_t k = 0; k < count; ++k)
        apply_node(matrix, k, x, y);
    for (int64_t b = 0; b < matrix->bond_count; ++b)
        add_pair(matrix, b, x, y);
    for (size_t k = 0; k < count * (size_t)matrix->width; ++k)
        if (matrix->fixed[k]) y[k] = 0.0;
}

// ---------------------------------------------------------------- diagonal blocks

// Cholesky factor in place; false when the block is not positive definite.
static bool factor_block(int w, double *a)
{
    for (int r = 0; r < w; ++r)
        for (int c = 0; c <= r; ++c) {
            double sum = a[r * w + c];
            for (int k = 0; k < c; ++k)
                sum -= a[r * w + k] * a[c * w + k];
            if (r == c && !(sum > 0.0)) return false;
            a[r * w + c] = r == c ? sqrt(sum) : sum / a[c * w + c];
        }
    return true;
}

static void solve_block(int w, const double *a, const double *b, double *x)
{
    for (int r = 0; r < w; ++r) {
        double sum = b[r];
        for (int c = 0; c < r; ++c)
            sum -= a[r * w + c] * x[c];
        x[r] = sum / a[r * w + r];
    }
    for (int r = w - 1; r >= 0; --r) {
        double sum = x[r];
        for (int c = r + 1; c < w; ++c)
            sum -= a[c * w + r] * x[c];
        x[r] = sum / a[r * w + r];
    }
}

static void fix_block(const sherd_block_matrix *matrix, size_t k, double *block)
{
    int w = matrix->width;
    for (int r = 0; r < w; ++r)
        for (int c = 0; c < w; ++c)
            if (matrix->fixed[k * (size_t)w + (size_t)r] ||
                matrix->fixed[k * (size_t)w + (size_t)c])
                block[r * w + c] = r == c;
}

static bool factor_diagonal(const sherd_block_matrix *matrix, double *blocks)
{
    int w = matrix->width, p = matrix->pair_width, n = 2 * p;
    size_t count = (size_t)matrix->count, each = (size_t)(w * w);
    memcpy(blocks, matrix->nodes, sizeof(double) * count * each);
    for (int64_t b = 0; b < matrix->bond_count; ++b)
        for (int end = 0; end < 2; ++end) {
            const double *from =
                matrix->pairs + (size_t)b * (size_t)(n * n) + (size_t)(end * p * (n + 1));
            double *to = blocks + each * (size_t)(end ? matrix->bonds[b].j : matrix->bonds[b].i);
            for (int r = 0; r < p; ++r)
                for (int c = 0; c < p; ++c)
                    to[r * w + c] += from[r * n + c];
        }
    for (size_t k = 0; k < count; ++k) {
        fix_block(matrix, k, blocks + k * each);
        if (!factor_block(w, blocks + k * each)) return false;
    }
    return true;
}

// ---------------------------------------------------------------- iterations

typedef struct vectors {
    double *r, *z, *p, *ap; // (size)
    double *blocks;         // factors of the diagonal
} vectors;

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}

static void precondition(const sherd_block_matrix *matrix, const vectors *v)
{
    size_t w = (size_t)matrix->width;
    for (size_t k = 0; k < (size_t)matrix->count; ++k)
        solve_block(matrix->width, v->blocks + k * w * w, v->r + k * w, v->z + k * w);
}

// False when the matrix is not positive definite.
static bool iterate(const sherd_block_matrix *matrix, const vectors *v, double goal2, int most,
                    double *x)
{
    size_t size = (size_t)matrix->count * (size_t)matrix->width;
    precondition(matrix, v);
    memcpy(v->p, v->z, sizeof(double) * size);
    double rz = dot(size, v->r, v->z);
    for (int k = 0; k < most && dot(size, v->r, v->r) > goal2; ++k) {
        sherd_block_matrix_apply(matrix, v->p, v->ap);
        double bent = dot(size, v->p, v->ap);
        if (!(bent > 0.0)) return false;
        double alpha = rz / bent;
        for (size_t n = 0; n < size; ++n) {
            x[n] += alpha * v->p[n];
            v->r[n] -= alpha * v->ap[n];
        }
        precondition(matrix, v);
        double next = dot(size, v->r, v->z);
        for (size_t n = 0; n < size; ++n)
            v->p[n] = v->z[n] + next / rz * v->p[n];
        rz = next;
    }
    return true;
}

sherd_status sherd_block_matrix_solve(const sherd_block_matrix *matrix, const double *b,
                                      double tolerance, int max_iterations, double *x,
                                      bool *definite, sherd_error *error)
{
    size_t size = (size_t)matrix->count * (size_t)matrix->width;
    double *memory = sherd_alloc(size * (4 + (size_t)matrix->width), sizeof *memory);
    if (memory == NULL) return sherd_fail_memory(error, "conjugate gradients");
    vectors v = {memory, memory + size, memory + 2 * size, memory + 3 * size, memory + 4 * size};
    memset(x, 0, sizeof(double) * size);
    memcpy(v.r, b, sizeof(double) * size);
    for (size_t k = 0; k < size; ++k)
        if (matrix->fixed[k]) v.r[k] = 0.0;
    *definite = factor_diagonal(matrix, v.blocks) &&
                iterate(matrix, &v, tolerance * tolerance * dot(size, v.r, v.r), max_iterations, x);
    sherd_free(memory);
    return SHERD_OK;
}
