#include "linear/multigrid/coarse_cycle.h"
#include "base/assertion.h"
#include "linear/multigrid/coarse_dense.h"

#include <math.h>
#include <string.h>

// Vectors of 16 nodes per chunk. Levels of fewer than FEW are processed by one thread, because
// waking others takes longer.
enum { CHUNK = 4, FEW = 12, DOT_CHUNK = 8192 };

// Of the quick loops, whose chunks would be over sooner than another thread has come: a few microseconds each.
enum { ROW_CHUNK = 512, BLOCK_CHUNK = 32, RESTRICT_CHUNK = 32 /* rows */, MOTION_CHUNK = 64 };

// Number of inner iterations, and the relative residual at which they stop earlier. Two suffice for
// blocks; large thin plates need three, because their bending is too stiff on every level. On the
// last level, with fragments in contact, nothing else helps.
enum { MAX_STEPS = 3, MAX_LAST_STEPS = 12 };
static const double TOLERANCE = 0.25, LAST_TOLERANCE = 0.05;

static size_t slices_in_use(const sherd_coarse_level *level)
{
    return ((size_t)level->used + SHERD_COARSE_LANES - 1) / SHERD_COARSE_LANES;
}

static size_t chunk_of(size_t slices)
{
    return slices < FEW ? FEW : CHUNK;
}

// ---------------------------------------------------------------- steps of a cycle

typedef struct rows_job {
    const sherd_coarse_kernels *kernels;
    sherd_coarse_rows rows;
} rows_job;

static void run_rows(void *context, size_t begin, size_t end)
{
    const rows_job *job = context;
    job->kernels->rows(&job->rows, begin, end);
}

typedef struct product_job {
    const sherd_coarse_kernels *kernels;
    sherd_coarse_product product;
} product_job;

static void run_product(void *context, size_t begin, size_t end)
{
    const product_job *job = context;
    job->kernels->product(&job->product, begin, end);
}

static void multiply(const sherd_coarse_levels *levels, int at, sherd_coarse_mode mode,
                     const float *b, const float *z, float *y)
{
    const sherd_coarse_level *level = &levels->level[at];
    rows_job rows = {levels->kernels, {level->stride, z, level->rows}};
    product_job job = {levels->kernels,
                       {sherd_coarse_matrix_of(level), mode, b, z, level->rows, y,
                        mode == SHERD_COARSE_APPLY ? level->energy : NULL}};
    size_t slices = slices_in_use(level);
    sherd_parallel_for(&levels->parallel, slices, ROW_CHUNK, run_rows, &rows);
    sherd_parallel_for(&levels->parallel, slices, chunk_of(slices), run_product, &job);
}

typedef struct block_job {
    const sherd_coarse_kernels *kernels;
    sherd_block_product product;
} block_job;

static void run_blocks(void *context, size_t begin, size_t end)
{
    const block_job *job = context;
    job->kernels->blocks(&job->product, begin, end);
}

void sherd_coarse_multiply_blocks(const sherd_coarse_levels *levels,
                                  const sherd_block_product *product, size_t vectors, size_t chunk)
{
    block_job job = {levels->kernels, *product};
    sherd_parallel_for(&levels->parallel, vectors, chunk, run_blocks, &job);
}

static void smooth_first(const sherd_coarse_levels *levels, int at, const float *b, float *z)
{
    const sherd_coarse_level *level = &levels->level[at];
    const sherd_block_product product = {
        .stride = level->stride, .blocks = level->smoother, .b = b, .y = z};
    size_t slices = slices_in_use(level);
    sherd_coarse_multiply_blocks(levels, &product, slices, BLOCK_CHUNK);
}

typedef struct transfer_job {
    const sherd_coarse_kernels *kernels;
    sherd_coarse_transfer transfer;
} transfer_job;

static void run_restrict(void *context, size_t begin, size_t end)
{
    const transfer_job *job = context;
    job->kernels->restrict_load(&job->transfer, begin, end);
}

static void run_add_motion(void *context, size_t begin, size_t end)
{
    const transfer_job *job = context;
    job->kernels->add_motion(&job->transfer, begin, end);
}

static sherd_coarse_transfer transfer_of(const sherd_coarse_level *level)
{
    return (sherd_coarse_transfer){
        .fine_stride = level->fine_stride,
        .stride = level->stride,
        .offset = level->offset,
        .parent = level->parent,
        .child_start = level->child_start,
        .child = level->child,
        .right = sherd_coarse_vector(level, SHERD_COARSE_RIGHT),
        .solution = sherd_coarse_vector(level, SHERD_COARSE_SOLUTION),
    };
}

void sherd_coarse_restrict(const sherd_coarse_levels *levels, int at, const float *b,
                           const float *t)
{
    SHERD_ASSERT(at >= 0 && at < levels->count, "the level is one of the hierarchy");
    const sherd_coarse_level *level = &levels->level[at];
    transfer_job job = {levels->kernels, transfer_of(level)};
    job.transfer.b = b, job.transfer.t = t;
    size_t rows = (size_t)level->used;
    size_t chunk = level->fine_count < BLOCK_CHUNK * SHERD_COARSE_LANES ? rows + 1 : RESTRICT_CHUNK;
    sherd_parallel_for(&levels->parallel, rows, chunk, run_restrict, &job);
}

void sherd_coarse_add_motion(const sherd_coarse_levels *levels, int at, float *z)
{
    const sherd_coarse_level *level = &levels->level[at];
    transfer_job job = {levels->kernels, transfer_of(level)};
    job.transfer.z = z;
    size_t nodes = at > 0 ? (size_t)levels->level[at - 1].used : level->fine_count;
    size_t slices = (nodes + SHERD_COARSE_LANES - 1) / SHERD_COARSE_LANES;
    sherd_parallel_for(&levels->parallel, slices, MOTION_CHUNK, run_add_motion, &job);
}

// ---------------------------------------------------------------- vectors

typedef struct dot_job {
    const float *a, *b;
    size_t stride, slices;
} dot_job;

static double dot_chunk(void *context, size_t begin, size_t end)
{
    const dot_job *job = context;
    double sum[SHERD_COARSE_LANES] = {0}, total = 0.0;
    for (size_t c = 0; c < 6; ++c) {
        const float *a = job->a + c * job->stride, *b = job->b + c * job->stride;
        for (size_t k = begin; k < end; k += SHERD_COARSE_LANES)
            for (size_t l = 0; l < SHERD_COARSE_LANES; ++l)
                sum[l] += (double)a[k + l] * (double)b[k + l];
    }
    for (size_t l = 0; l < SHERD_COARSE_LANES; ++l)
        total += sum[l];
    return total;
}

static double dot(const sherd_coarse_levels *levels, int at, const float *a, const float *b)
{
    const sherd_coarse_level *level = &levels->level[at];
    dot_job job = {a, b, level->stride, 0};
    return sherd_parallel_sum(&levels->parallel, slices_in_use(level) * SHERD_COARSE_LANES,
                              DOT_CHUNK, dot_chunk, &job);
}

static double energy_chunk(void *context, size_t begin, size_t end)
{
    const double *energy = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += energy[k];
    return sum;
}

// z . A z of the last product.
static double energy_of(const sherd_coarse_levels *levels, int at)
{
    const sherd_coarse_level *level = &levels->level[at];
    return sherd_parallel_sum(&levels->parallel, slices_in_use(level) * SHERD_COARSE_LANES,
                              DOT_CHUNK, energy_chunk, level->energy);
}

// y = s a + t b over all six columns; y may be a or b.
static void combine(const sherd_coarse_level *level, double s, const float *a, double t,
                    const float *b, float *y)
{
    size_t nodes = slices_in_use(level) * SHERD_COARSE_LANES;
    float fs = (float)s, ft = (float)t;
    for (size_t c = 0; c < 6; ++c)
        for (size_t k = c * level->stride; k < c * level->stride + nodes; ++k)
            y[k] = fs * a[k] + ft * b[k];
}

// ---------------------------------------------------------------- cycles

static void solve_at(const sherd_coarse_levels *levels, int at);

// z = approximately A^-1 b: smoothing, correction from the next level, smoothing again.
static void cycle(const sherd_coarse_levels *levels, int at, const float *b, float *z)
{
    const sherd_coarse_level *level = &levels->level[at];
    float *smoothed = sherd_coarse_vector(level, SHERD_COARSE_SMOOTHED);
    if (at + 1 == levels->count) {
        smooth_first(levels, at, b, z);
        return;
    }
    smooth_first(levels, at, b, smoothed);
    multiply(levels, at, SHERD_COARSE_RESIDUAL, b, smoothed, z);
    sherd_coarse_restrict(levels, at + 1, z, NULL);
    solve_at(levels, at + 1);
    sherd_coarse_add_motion(levels, at + 1, smoothed);
    multiply(levels, at, SHERD_COARSE_SMOOTH, b, smoothed, z);
}

// r . D r, the norm of the load in terms of the smoother; overwrites z.
static double size_of(const sherd_coarse_levels *levels, int at, const float *r, float *z)
{
    smooth_first(levels, at, r, z);
    return dot(levels, at, r, z);
}

// One step of flexible conjugate gradients along p: false if only rounding is left to gain.
static bool step(const sherd_coarse_levels *levels, int at, double rz, double *alpha)
{
    const sherd_coarse_level *level = &levels->level[at];
    float *p = sherd_coarse_vector(level, SHERD_COARSE_DIRECTION);
    float *q = sherd_coarse_vector(level, SHERD_COARSE_PRODUCT);
    float *x = sherd_coarse_vector(level, SHERD_COARSE_SOLUTION);
    float *residual = sherd_coarse_vector(level, SHERD_COARSE_RIGHT);
    multiply(levels, at, SHERD_COARSE_APPLY, NULL, p, q);
    double curvature = energy_of(levels, at);
    if (!(curvature > 0.0) || !(rz > 0.0)) return false;
    *alpha = rz / curvature;
    combine(level, 1.0, x, *alpha, p, x);
    combine(level, 1.0, residual, -*alpha, q, residual);
    return true;
}

// Flexible conjugate gradients with Polak and Ribiere's factor, because the cycle varies from call
// to call.
static void iterate(const sherd_coarse_levels *levels, int at, int max_steps, double tolerance)
{
    const sherd_coarse_level *level = &levels->level[at];
    float *residual = sherd_coarse_vector(level, SHERD_COARSE_RIGHT);
    float *z = sherd_coarse_vector(level, SHERD_COARSE_CORRECTION);
    float *p = sherd_coarse_vector(level, SHERD_COARSE_DIRECTION);
    float *q = sherd_coarse_vector(level, SHERD_COARSE_PRODUCT);
    double goal = tolerance * tolerance * size_of(levels, at, residual, z), alpha;
    cycle(levels, at, residual, p);
    combine(level, 0.0, p, 0.0, p, sherd_coarse_vector(level, SHERD_COARSE_SOLUTION));
    double rz = dot(levels, at, residual, p);
    for (int k = 1; step(levels, at, rz, &alpha) && k < max_steps; ++k) {
        if (size_of(levels, at, residual, z) <= goal) break;
        cycle(levels, at, residual, z);
        double beta = -alpha * dot(levels, at, z, q) / rz;
        rz = dot(levels, at, residual, z);
        combine(level, 1.0, z, beta, p, p);
    }
}

static void solve_at(const sherd_coarse_levels *levels, int at)
{
    const sherd_coarse_level *level = &levels->level[at];
    if (level->used == 0) return;
    bool last = at + 1 == levels->count;
    if (sherd_coarse_is_dense(level))
        sherd_coarse_dense_solve(level);
    else if (last && level->joining == 0) // its nodes are not connected: exact
        smooth_first(levels, at, sherd_coarse_vector(level, SHERD_COARSE_RIGHT),
                     sherd_coarse_vector(level, SHERD_COARSE_SOLUTION));
    else if (last)
        iterate(levels, at, MAX_LAST_STEPS, LAST_TOLERANCE);
    else
        iterate(levels, at, MAX_STEPS, TOLERANCE);
}

void sherd_coarse_solve(const sherd_coarse_levels *levels)
{
    if (levels->count > 0) solve_at(levels, 0);
}

double sherd_coarse_visits(const sherd_coarse_levels *levels)
{
    double visits = 0.0, times = 1.0;
    for (int at = 0; at < levels->count; ++at) {
        const sherd_coarse_level *level = &levels->level[at];
        bool dense = sherd_coarse_is_dense(level);
        bool exact = dense || level->joining == 0;
        times *= !dense && at + 1 < levels->count ? MAX_STEPS : exact ? 1.0 : MAX_LAST_STEPS;
        visits += times * level->used;
        if (dense) break;
    }
    return visits;
}
