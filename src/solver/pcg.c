#include "solver/pcg.h"

#include "base/error.h"
#include "base/memory.h"
#include "solver/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

sherd_status sherd_pcg_resize(sherd_pcg *pcg, size_t size, sherd_error *error)
{
    if (pcg->size == size && pcg->r != NULL) return SHERD_OK;
    sherd_pcg_free(pcg);
    float *memory = sherd_alloc(4 * size, sizeof *memory);
    if (memory == NULL) return sherd_fail_memory(error, "vectors of conjugate gradients");
    *pcg = (sherd_pcg){size, memory, memory + size, memory + 2 * size, memory + 3 * size};
    return SHERD_OK;
}

void sherd_pcg_free(sherd_pcg *pcg)
{
    sherd_free(pcg->r);
    *pcg = (sherd_pcg){0};
}

size_t sherd_pcg_bytes(const sherd_pcg *pcg)
{
    return 4 * pcg->size * sizeof *pcg->r;
}

// ---------------------------------------------------------------- right-hand side

enum { CHUNK = 16384 };

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

// A power of two that brings b's numbers near 1, so that neither large nor tiny loads leave the range
// of single precision; 0 when there is no load. Squares may overflow or vanish where b does not: then
// b is absurd.
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
    sherd_tangent *tangent;
    const sherd_parallel *parallel;
    sherd_precondition *precondition;
    void *context;
    double *x;
    double rz, rz_first;
} iteration;

static bool reached(const iteration *it, double tolerance)
{
    return it->rz <= tolerance * tolerance * it->rz_first;
}

// One step along p, and the next p. False where rounding has used up what there was to find: p no longer
// has a positive curvature, or z no longer points downhill.
static bool iterate(iteration *it, double tolerance)
{
    sherd_pcg *v = it->v;
    sherd_tangent_apply(it->tangent, v->p, v->q);
    double curvature = sherd_vector_dot(v->p, v->q, v->size, it->parallel);
    if (!(curvature > 0.0) || !isfinite(curvature)) return false;
    double alpha = it->rz / curvature;
    sherd_vector_advance(it->x, v->r, alpha, v->p, v->q, v->size, it->parallel);
    it->precondition(it->context, v->r, v->z);
    sherd_vector_dots dots = sherd_vector_dot_two(v->r, v->q, v->z, v->size, it->parallel);
    double beta = -alpha * dots.second / it->rz;
    it->rz = dots.first;
    if (reached(it, tolerance)) return true;
    if (!isfinite(beta)) return false;
    sherd_vector_turn(v->p, v->z, beta, v->size, it->parallel);
    return true;
}

static sherd_status run(iteration *it, const sherd_linear_goal *goal, sherd_linear_report *report,
                        sherd_error *error)
{
    sherd_pcg *v = it->v;
    it->precondition(it->context, v->r, v->z);
    it->rz = it->rz_first = sherd_vector_dot(v->r, v->z, v->size, it->parallel);
    if (!(it->rz >= 0.0) || !isfinite(it->rz))
        return sherd_fail(error, SHERD_ERROR_UNSTABLE, "linear solver",
                          "stiffness or inertia are zero, negative or out of range somewhere",
                          "the preconditioned load r.z is %g, must be positive", it->rz);
    memcpy(v->p, v->z, v->size * sizeof *v->p);
    report->converged = it->rz == 0.0 || goal->tolerance >= 1.0;
    while (!report->converged && report->iterations < goal->most_iterations) {
        if (!iterate(it, goal->tolerance)) break;
        ++report->iterations;
        report->converged = reached(it, goal->tolerance);
    }
    report->reduction = it->rz_first > 0.0 ? sqrt(fmax(it->rz, 0.0) / it->rz_first) : 0.0;
    return SHERD_OK;
}

sherd_status sherd_pcg_solve(sherd_pcg *pcg, sherd_tangent *tangent,
                             sherd_precondition *precondition, void *context, const double *b,
                             double *x, const sherd_linear_goal *goal, sherd_linear_report *report,
                             sherd_error *error)
{
    const sherd_parallel *parallel = sherd_tangent_parallel(tangent);
    *report = (sherd_linear_report){0};
    if (!(goal->tolerance > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_linear_goal.tolerance", NULL,
                          "must be > 0, got %g", goal->tolerance);
    memset(x, 0, pcg->size * sizeof *x);
    double scale = scale_of(b, pcg->size, parallel);
    if (isnan(scale))
        return sherd_fail(error, SHERD_ERROR_UNSTABLE, "linear solver",
                          "the step before it went wrong: loads must be finite",
                          "a load is not a number or too large to be squared");
    right_side side = {.b = b, .x = x, .r = pcg->r, .scale = scale};
    sherd_parallel_for(parallel, pcg->size, CHUNK, scale_down, &side);
    sherd_tangent_clear_held(tangent, pcg->r);
    iteration it = {pcg, tangent, parallel, precondition, context, x, 0.0, 0.0};
    sherd_status status = run(&it, goal, report, error);
    if (scale > 0.0) side.scale = 1.0 / scale;
    sherd_parallel_for(parallel, pcg->size, CHUNK, scale_up, &side);
    return status;
}
