#include "linear/pcg.h"

#include "base/error.h"
#include "base/memory.h"
#include "linear/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { VECTORS = 5, CHUNK = 16384, FREEDOMS = SHERD_NODE_FREEDOMS };

sherd_status sherd_pcg_resize(sherd_pcg *pcg, size_t size, sherd_error *error)
{
    if (pcg->size == size && pcg->memory != NULL) return SHERD_OK;
    sherd_pcg_free(pcg);
    float *memory = sherd_alloc(VECTORS * size, sizeof *memory);
    if (memory == NULL) return sherd_fail_memory(error, "vectors of conjugate gradients");
    *pcg = (sherd_pcg){.size = size,
                       .r = memory,
                       .z = memory + size,
                       .p = memory + 2 * size,
                       .p_before = memory + 3 * size,
                       .q = memory + 4 * size,
                       .memory = memory};
    return SHERD_OK;
}

void sherd_pcg_free(sherd_pcg *pcg)
{
    sherd_free(pcg->memory);
    sherd_free(pcg->sums);
    *pcg = (sherd_pcg){0};
}

size_t sherd_pcg_bytes(const sherd_pcg *pcg)
{
    return VECTORS * pcg->size * sizeof *pcg->r + pcg->sums_capacity * sizeof *pcg->sums;
}

// ---------------------------------------------------------------- right-hand side

typedef struct right_side {
    const double *b;
    double *x;
    float *r;
    double scale;
} right_side;

static double sum_squares(void *context, size_t begin, size_t end)
{
    const right_side *s = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += s->b[k] * s->b[k];
    return sum;
}

static void scale_down(void *context, size_t begin, size_t end)
{
    const right_side *s = context;
    for (size_t k = begin; k < end; ++k)
        s->r[k] = (float)(s->scale * s->b[k]);
}

static void scale_up(void *context, size_t begin, size_t end)
{
    const right_side *s = context;
    for (size_t k = begin; k < end; ++k)
        s->x[k] *= s->scale;
}

// A power of two that scales b to about 1, so that neither large nor tiny loads leave the range of
// single precision; 0 if there is no load. Squares may overflow or underflow where b does not: then
// b is invalid.
static double scale_of(const double *b, size_t size, const sherd_parallel *parallel)
{
    right_side s = {.b = b};
    double norm = sqrt(sherd_parallel_sum(parallel, size, CHUNK, sum_squares, &s));
    if (!isfinite(norm)) return NAN;
    int exponent;
    frexp(norm, &exponent);
    return norm > 0.0 ? ldexp(1.0, -exponent) : 0.0;
}

// ---------------------------------------------------------------- iterations

typedef struct iteration {
    sherd_pcg *v;
    sherd_linear_matrix *matrix;
    const sherd_parallel *parallel;
    sherd_precondition *precondition;
    sherd_precondition_range *by_node; // if not NULL, used instead
    void *context;
    double *x;
    sherd_linear_product product;
    double rz, rz_first, beta;
    double min_step; // of all iterations
    double scale;    // of r over b
} iteration;

// Factor on sqrt(r.z) by adding the last z = P r to x: a cycle of multigrid halves it
// (0.46 to 0.55 in drapes, bending, contact). A preconditioner of single nodes may increase it, and
// so may one computed for another state: then steps along its directions are short.
static const double LAST_GAIN = 0.55, MIN_STEP = 0.5;

static bool may_add_last(const iteration *it)
{
    return it->by_node == NULL && it->min_step >= MIN_STEP;
}

static double last_gain(const iteration *it)
{
    return may_add_last(it) ? LAST_GAIN : 1.0;
}

// sqrt(r.z) after the last z is added.
static double reduction(const iteration *it)
{
    if (!(it->rz_first > 0.0)) return 0.0;
    return last_gain(it) * sqrt(fabs(it->rz) / it->rz_first);
}

static bool reached(const iteration *it, const sherd_linear_goal *goal)
{
    double enough = goal->enough * it->scale;
    return reduction(it) <= fmax(goal->tolerance, enough / sqrt(it->rz_first));
}

// 0 if only rounding is left: p no longer has a positive curvature.
static double step_of(const iteration *it)
{
    double curvature = it->product.energy;
    return curvature > 0.0 && isfinite(curvature) ? it->rz / curvature : 0.0;
}

// Processes one part of the vectors as soon as A p is known there.
static void finish_part(void *context, size_t begin, size_t end)
{
    iteration *it = context;
    const sherd_pcg *v = it->v;
    size_t stride = v->size / FREEDOMS;
    double alpha = step_of(it), *sums = v->sums + 2 * (begin / it->matrix->parts.length);
    for (size_t c = 0; c < FREEDOMS; ++c)
        sherd_vector_advance_range(it->x, v->r, alpha, v->p, v->q, c * stride + begin,
                                   c * stride + end);
    if (it->by_node == NULL) return;
    it->by_node(it->context, v->r, v->z, begin, end);
    sums[0] = sums[1] = 0.0;
    for (size_t c = 0; c < FREEDOMS; ++c) {
        sums[0] += sherd_vector_dot_range(v->r, v->z, c * stride + begin, c * stride + end);
        sums[1] += sherd_vector_dot_range(v->q, v->z, c * stride + begin, c * stride + end);
    }
}

// r.z and q.z
static sherd_vector_dots precondition_residual(const iteration *it)
{
    const sherd_pcg *v = it->v;
    if (it->by_node == NULL) {
        it->precondition(it->context, v->r, v->z);
        return sherd_vector_dot_two(v->r, v->q, v->z, v->size, it->parallel);
    }
    sherd_vector_dots dots = {0};
    for (size_t part = 0; part < it->matrix->parts.count; ++part) {
        dots.first += v->sums[2 * part];
        dots.second += v->sums[2 * part + 1];
    }
    return dots;
}

// The next direction p = z + beta p_before, and a step along it. False if no further progress is
// possible.
static bool iterate(iteration *it)
{
    sherd_pcg *v = it->v;
    float *p = v->p;
    v->p = v->p_before;
    v->p_before = p;
    it->product = (sherd_linear_product){.x = v->p_before,
                                         .z = v->z,
                                         .beta = (float)it->beta,
                                         .turned = v->p,
                                         .y = v->q,
                                         .with_energy = true,
                                         .then = finish_part,
                                         .context = it};
    sherd_linear_matrix_multiply(it->matrix, &it->product);
    double alpha = step_of(it);
    if (alpha == 0.0) return false;
    it->min_step = fmin(it->min_step, alpha);
    sherd_vector_dots dots = precondition_residual(it);
    it->beta = -alpha * dots.second / it->rz;
    it->rz = dots.first;
    return isfinite(it->beta);
}

// A preconditioner may prove not to be positive at any residual.
static sherd_status check_load(const iteration *it, sherd_error *error)
{
    if (it->rz >= 0.0 && isfinite(it->rz)) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, "linear solver",
                      "stiffness or inertia are zero, negative or out of range somewhere",
                      "the preconditioned load r.z is %g, must be positive", it->rz);
}

static void start_by_node(void *context, size_t begin, size_t end)
{
    const iteration *it = context;
    it->by_node(it->context, it->v->r, it->v->z, begin, end);
}

static sherd_status start(iteration *it, sherd_error *error)
{
    sherd_pcg *v = it->v;
    if (it->by_node != NULL)
        sherd_parallel_for(it->parallel, v->size / FREEDOMS, it->matrix->parts.length,
                           start_by_node, it);
    else
        it->precondition(it->context, v->r, v->z);
    memset(v->p, 0, v->size * sizeof *v->p);
    it->min_step = INFINITY;
    it->rz = it->rz_first = sherd_vector_dot(v->r, v->z, v->size, it->parallel);
    return check_load(it, error);
}

// The cycle that gave the residual has also computed the next step, except for its length.
static void add_last_range(void *context, size_t begin, size_t end)
{
    const iteration *it = context;
    const float *z = it->v->z;
    for (size_t k = begin; k < end; ++k)
        it->x[k] += (double)z[k];
}

static void add_last(iteration *it)
{
    sherd_parallel_for(it->parallel, it->v->size, CHUNK, add_last_range, it);
}

static sherd_status run(iteration *it, const sherd_linear_goal *goal, sherd_linear_report *report,
                        sherd_error *error)
{
    sherd_status status = start(it, error);
    if (status != SHERD_OK) return status;
    report->converged = it->rz == 0.0 || goal->tolerance >= 1.0 || reached(it, goal);
    while (!report->converged && report->iterations < goal->max_iterations) {
        bool may_continue = iterate(it);
        report->iterations += step_of(it) > 0.0;
        report->converged = reached(it, goal);
        if (!may_continue) break;
        if (!report->converged) status = check_load(it, error);
        if (status != SHERD_OK) return status;
    }
    if (report->converged && may_add_last(it)) add_last(it);
    report->reduction = reduction(it);
    return SHERD_OK;
}

static sherd_status solve(iteration *it, const double *b, const sherd_linear_goal *goal,
                          sherd_linear_report *report, sherd_error *error)
{
    sherd_pcg *pcg = it->v;
    *report = (sherd_linear_report){0};
    it->parallel = &it->matrix->parallel;
    if (!(goal->tolerance > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_linear_goal.tolerance", NULL,
                          "must be > 0, got %g", goal->tolerance);
    if (!sherd_grow((void **)&pcg->sums, &pcg->sums_capacity, 2 * it->matrix->parts.count,
                    sizeof *pcg->sums))
        return sherd_fail_memory(error, "sums of conjugate gradients");
    memset(it->x, 0, pcg->size * sizeof *it->x);
    double scale = scale_of(b, pcg->size, it->parallel);
    if (isnan(scale))
        return sherd_fail(error, SHERD_ERROR_UNSTABLE, "linear solver",
                          "the step before it went wrong: loads must be finite",
                          "a load is not a number or too large to be squared");
    right_side side = {.b = b, .x = it->x, .r = pcg->r, .scale = scale};
    sherd_parallel_for(it->parallel, pcg->size, CHUNK, scale_down, &side);
    sherd_linear_matrix_clear_held(it->matrix, pcg->r);
    it->scale = scale;
    sherd_status status = run(it, goal, report, error);
    if (scale > 0.0) side.scale = 1.0 / scale;
    sherd_parallel_for(it->parallel, pcg->size, CHUNK, scale_up, &side);
    return status;
}

sherd_status sherd_pcg_solve(sherd_pcg *pcg, sherd_linear_matrix *matrix,
                             sherd_precondition *precondition, void *context, const double *b,
                             double *x, const sherd_linear_goal *goal, sherd_linear_report *report,
                             sherd_error *error)
{
    iteration it = {
        .v = pcg, .matrix = matrix, .precondition = precondition, .context = context, .x = x};
    return solve(&it, b, goal, report, error);
}

sherd_status sherd_pcg_solve_by_node(sherd_pcg *pcg, sherd_linear_matrix *matrix,
                                     sherd_precondition_range *precondition, void *context,
                                     const double *b, double *x, const sherd_linear_goal *goal,
                                     sherd_linear_report *report, sherd_error *error)
{
    iteration it = {
        .v = pcg, .matrix = matrix, .by_node = precondition, .context = context, .x = x};
    return solve(&it, b, goal, report, error);
}
