#include "research/search.h"

#include "base/error.h"
#include "base/memory.h"
#include "models/bonded/hessian/nullspace.h"
#include "research/methods.h"

#include <math.h>
#include <string.h>
#include <time.h>

const sherd_search_method *const sherd_search_methods[SHERD_OPTIMIZER_METHOD_COUNT] = {
    [SHERD_OPTIMIZER_MANIFOLD_NEWTON] = &sherd_method_newton,
    [SHERD_OPTIMIZER_MANIFOLD_PROJECTED] = &sherd_method_projected,
    [SHERD_OPTIMIZER_MANIFOLD_GAUSS_NEWTON] = &sherd_method_gauss_newton,
    [SHERD_OPTIMIZER_MANIFOLD_DESCENT] = &sherd_method_descent,
    [SHERD_OPTIMIZER_QUATERNION_NEWTON] = &sherd_method_quaternion,
    [SHERD_OPTIMIZER_PENALTY] = &sherd_method_penalty,
    [SHERD_OPTIMIZER_MULTIPLIERS] = &sherd_method_multipliers,
    [SHERD_OPTIMIZER_AUGMENTED] = &sherd_method_augmented,
    [SHERD_OPTIMIZER_ROTATION_VECTOR] = &sherd_method_rotation_vector,
    [SHERD_OPTIMIZER_EQUATIONS] = &sherd_method_equations,
    [SHERD_OPTIMIZER_PENALTY_FIXED] = &sherd_method_penalty_fixed,
    [SHERD_OPTIMIZER_ADD] = &sherd_method_add,
};

// Armijo's constant: a step must decrease the merit function by this share of the decrease that its slope predicts.
static const double SUFFICIENT = 1e-4;
// Changes of the merit function below this share of it are rounding.
static const double ROUNDING = 1e-14;
enum { MAX_HALVINGS = 40 };

// Beyond this many multiplications a factorisation takes minutes: conjugate gradients instead.
static const double MOST_FACTOR_COST = 2e10;
// The penalty to begin with, in bend stiffnesses of a bond: small enough for a good start, large enough to
// keep quaternions near the sphere.
static const double FIRST_PENALTY = 100.0;
// Conjugate gradients' tolerance is (31) within these.
static const double LEAST_TOLERANCE = 1e-6, LARGEST_TOLERANCE = 0.5;
enum { MOST_CG_ITERATIONS = 20000 };

// ---------------------------------------------------------------- residual

void sherd_search_clear_fixed(const sherd_search *search, double *unknowns)
{
    size_t size = (size_t)search->step->count * (size_t)search->method->width;
    for (size_t k = 0; k < size; ++k)
        if (search->fixed[k]) unknowns[k] = 0.0;
}

void sherd_search_normalise(sherd_element_index count, const double *x, double *normal)
{
    for (size_t k = 0; k < (size_t)count * SHERD_REF_END; k += SHERD_REF_END) {
        const double *q = x + k + 3;
        double scale = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (size_t c = 0; c < SHERD_REF_END; ++c)
            normal[k + c] = c < 3 ? x[k + c] : scale * x[k + c];
    }
}

static double element_residual2(const sherd_search *search, size_t k, const double *x,
                                const double *g)
{
    double load[SHERD_REF_MOTION], sum = 0.0, r = search->step->radius[k];
    sherd_ref_restrict_gradient(x, g, load);
    for (int c = 0; c < SHERD_REF_MOTION; ++c) {
        bool held = (search->held[k] & (c < 3 ? SHERD_HOLD_X << c : SHERD_HOLD_ROTATION)) != 0;
        double force = c < 3 ? load[c] : load[c] / r;
        if (!held) sum += force * force;
    }
    return sum;
}

double sherd_search_residual(const sherd_search *search, const double *x, double *normal, double *g,
                             double *scratch)
{
    const sherd_ref_step *step = search->step;
    sherd_search_normalise(step->count, x, normal);
    sherd_ref_step_gradient(step, normal, scratch, g);
    double sum = 0.0;
    for (size_t k = 0; k < (size_t)step->count; ++k)
        sum += element_residual2(search, k, normal + k * SHERD_REF_END, g + k * SHERD_REF_END);
    return sqrt(sum / step->count) / search->force;
}

// ---------------------------------------------------------------- memory

static void find_fixed(sherd_search *s)
{
    int w = s->method->width;
    for (size_t k = 0; k < (size_t)s->step->count; ++k)
        for (int c = 0; c < w; ++c)
            s->fixed[k * (size_t)w + (size_t)c] =
                (s->held[k] & (c < 3 ? SHERD_HOLD_X << c : SHERD_HOLD_ROTATION)) != 0;
}

static bool allocate(sherd_search *s)
{
    size_t n = (size_t)s->step->count, m = (size_t)s->step->bond_count;
    size_t unknowns = n * (size_t)s->method->width, state = n * SHERD_REF_END;
    s->now.x = sherd_alloc(state, sizeof(double));
    s->trial.x = sherd_alloc(state, sizeof(double));
    s->now.multiplier = sherd_alloc(n, sizeof(double));
    s->trial.multiplier = sherd_alloc(n, sizeof(double));
    s->full_gradient = sherd_alloc(state, sizeof(double));
    s->gradient = sherd_alloc(unknowns, sizeof(double));
    s->direction = sherd_alloc(unknowns, sizeof(double));
    s->former = sherd_alloc(unknowns, sizeof(double));
    s->bond_gradients = sherd_alloc(m * SHERD_REF_PAIR, sizeof(double));
    s->fixed = sherd_alloc(unknowns, sizeof(bool));
    return s->now.x && s->trial.x && s->now.multiplier && s->trial.multiplier && s->full_gradient &&
           s->gradient && s->direction && s->former && s->bond_gradients && s->fixed;
}

static void find_scales(sherd_search *s)
{
    double count = fmax((double)s->step->bond_count, 1.0);
    for (int64_t b = 0; b < s->step->bond_count; ++b) {
        const sherd_ref_bond *bond = &s->step->bonds[b];
        s->force += bond->stretch * bond->l0 / count;
        s->length += bond->l0 / count;
        s->moment += bond->bend / count;
    }
    if (s->step->bond_count > 0) return;
    s->force = s->length = s->moment = 1.0; // nothing to compare with
}

static sherd_status prepare_matrix(sherd_search *s, const sherd_element_index *order,
                                   sherd_error *error)
{
    const sherd_search_method *method = s->method;
    s->matrix = (sherd_block_matrix){
        .count = s->step->count,
        .bond_count = s->step->bond_count,
        .bonds = s->step->bonds,
        .width = method->width,
        .pair_width = method->pair_width,
        .fixed = s->fixed,
    };
    size_t w = (size_t)method->width, p = 2 * (size_t)method->pair_width;
    s->matrix.nodes = sherd_alloc((size_t)s->step->count * w * w, sizeof(double));
    s->matrix.pairs = sherd_alloc((size_t)s->step->bond_count * p * p, sizeof(double));
    if (s->matrix.nodes == NULL || s->matrix.pairs == NULL)
        return sherd_fail_memory(error, "a Newton matrix");
    bool direct = sherd_envelope_cost(&s->matrix, order) < MOST_FACTOR_COST;
    if (!direct && method->conditions)
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, method->name,
                          "compare on a smaller or a more slender body",
                          "only a direct solver handles this method's matrix, and %d elements are "
                          "too many for it",
                          (int)s->step->count);
    if (direct) s->envelope = sherd_envelope_create(&s->matrix, order, error);
    return direct && s->envelope == NULL ? SHERD_ERROR_MEMORY : SHERD_OK;
}

sherd_status sherd_search_begin(sherd_search *search, const sherd_ref_step *step,
                                const sherd_search_method *method, const uint8_t *held,
                                const sherd_element_index *order, double penalty,
                                sherd_error *error)
{
    *search = (sherd_search){.step = step, .method = method, .held = held};
    if (!allocate(search)) return sherd_fail_memory(error, "a search");
    find_scales(search);
    find_fixed(search);
    search->penalty = (penalty > 0.0 ? penalty : FIRST_PENALTY) * search->moment;
    memcpy(search->now.x, step->target, sizeof(double) * (size_t)step->count * SHERD_REF_END);
    return method->pair_width > 0 ? prepare_matrix(search, order, error) : SHERD_OK;
}

void sherd_search_end(sherd_search *s)
{
    sherd_free(s->now.x);
    sherd_free(s->trial.x);
    sherd_free(s->now.multiplier);
    sherd_free(s->trial.multiplier);
    sherd_free(s->full_gradient);
    sherd_free(s->gradient);
    sherd_free(s->direction);
    sherd_free(s->former);
    sherd_free(s->bond_gradients);
    sherd_free(s->fixed);
    sherd_free(s->matrix.nodes);
    sherd_free(s->matrix.pairs);
    sherd_envelope_destroy(s->envelope);
    *s = (sherd_search){0};
}

// ---------------------------------------------------------------- one iteration

// (31) with the dimensionless residual.
static double linear_tolerance(const sherd_search *s)
{
    return fmin(LARGEST_TOLERANCE, fmax(LEAST_TOLERANCE, sqrt(s->residual)));
}

// *definite: the matrix has no direction in which the energy bends down, as far as the solver met any.
static sherd_status find_direction(sherd_search *s, bool *definite, sherd_error *error)
{
    *definite = true;
    size_t size = (size_t)s->step->count * (size_t)s->method->width;
    if (s->method->pair_width == 0) return SHERD_OK; // descent: linearise left it
    for (size_t k = 0; k < size; ++k)
        s->gradient[k] = -s->gradient[k];
    sherd_status status = SHERD_OK;
    if (s->envelope != NULL) {
        status = sherd_envelope_factor(s->envelope, &s->matrix, error);
        *definite = status == SHERD_OK && sherd_envelope_negative(s->envelope) == 0;
        if (status == SHERD_OK) sherd_envelope_solve(s->envelope, s->gradient, s->direction);
    } else {
        status = sherd_block_matrix_solve(&s->matrix, s->gradient, linear_tolerance(s),
                                          MOST_CG_ITERATIONS, s->direction, definite, error);
    }
    for (size_t k = 0; k < size; ++k)
        s->gradient[k] = -s->gradient[k];
    return status;
}

static double slope_of(const sherd_search *s, double merit)
{
    if (s->method->conditions) return -2.0 * merit;
    double sum = 0.0;
    for (size_t k = 0; k < (size_t)s->step->count * (size_t)s->method->width; ++k)
        sum += s->gradient[k] * s->direction[k];
    return sum;
}

static void accept(sherd_search *s)
{
    sherd_iterate former = s->now;
    s->now = s->trial;
    s->trial = former;
}

// The share of the direction taken, 0 when none is good enough.
static double search_line(sherd_search *s, int *evaluations)
{
    size_t n = (size_t)s->step->count;
    double merit = s->method->merit(s, s->now.x, s->now.multiplier), alpha = 1.0;
    double slope = slope_of(s, merit);
    ++*evaluations;
    if (!(slope < 0.0)) return 0.0;
    for (int k = 0; k < MAX_HALVINGS; ++k, alpha *= 0.5) {
        memcpy(s->trial.multiplier, s->now.multiplier, sizeof(double) * n);
        s->method->move(s, alpha);
        double next = s->method->merit(s, s->trial.x, s->trial.multiplier);
        ++*evaluations;
        if (next <= merit + SUFFICIENT * alpha * slope + ROUNDING * fabs(merit)) {
            accept(s);
            return alpha;
        }
    }
    return 0.0;
}

// ---------------------------------------------------------------- the loop

static double seconds_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double violation_of(const sherd_search *s)
{
    double largest = 0.0;
    for (size_t k = 0; k < (size_t)s->step->count; ++k) {
        const double *q = s->now.x + k * SHERD_REF_END + 3;
        double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        largest = fmax(largest, fabs(length - 1.0));
    }
    return largest;
}

// Everything about the present iterate; `clock` counts what methods need for themselves, so neither this
// nor the residual on the sphere.
static sherd_status record(sherd_search *s, double clock, double alpha,
                           sherd_search_history *history, sherd_error *error)
{
    s->residual = s->unbalanced =
        sherd_search_residual(s, s->now.x, s->trial.x, s->full_gradient, s->bond_gradients);
    if (s->method->residual != NULL) s->residual = s->method->residual(s);
    if (!sherd_grow((void **)&history->entry, &history->capacity, history->count + 1,
                    sizeof *history->entry))
        return sherd_fail_memory(error, "a history");
    history->entry[history->count++] = (sherd_optimizer_iteration){
        .seconds = clock,
        .energy = sherd_ref_step_energy(s->step, s->trial.x),
        .residual = s->residual,
        .violation = violation_of(s),
        .step = alpha,
    };
    return SHERD_OK;
}

static sherd_status iterate(sherd_search *s, double *alpha, int *evaluations, sherd_error *error)
{
    bool definite;
    s->hessian =
        s->method->matrix == SHERD_MATRIX_GAUSS_NEWTON ? SHERD_REF_GAUSS_NEWTON : SHERD_REF_FULL;
    s->method->linearise(s);
    sherd_status status = find_direction(s, &definite, error);
    if (!definite && s->method->matrix == SHERD_MATRIX_EXACT) {
        s->hessian = SHERD_REF_GAUSS_NEWTON;
        s->method->linearise(s);
        status = find_direction(s, &definite, error);
    }
    if (status != SHERD_OK) return status;
    *alpha = search_line(s, evaluations);
    // Descent remembers how far it went.
    s->trial_length *= *alpha;
    if (s->method->update != NULL) s->method->update(s);
    return SHERD_OK;
}

static const char *reason_to_end(const sherd_search *s, const sherd_search_limits *limits,
                                 const sherd_search_history *h, double clock, double alpha)
{
    if (!isfinite(s->residual)) return "became not a number";
    if (alpha == 0.0 && s->method->update == NULL) return "found no step that decreases";
    if (h->count > (size_t)limits->iterations) return "took too many iterations";
    if (clock > limits->seconds) return "took too long";
    return NULL;
}

sherd_status sherd_search_run(sherd_search *search, const sherd_search_limits *limits,
                              sherd_search_history *history, sherd_error *error)
{
    double clock = 0.0, alpha = 0.0;
    history->count = 0, history->evaluations = 0;
    sherd_status status = record(search, clock, alpha, history, error);
    history->converged = status == SHERD_OK && search->residual < limits->tolerance;
    history->ended = NULL;
    while (status == SHERD_OK && !history->converged && history->ended == NULL) {
        double start = seconds_now();
        status = iterate(search, &alpha, &history->evaluations, error);
        clock += seconds_now() - start;
        if (status == SHERD_ERROR_UNSTABLE) {
            history->ended = "met a matrix without an inverse";
            status = SHERD_OK;
            break;
        }
        if (status == SHERD_OK) status = record(search, clock, alpha, history, error);
        history->converged = search->residual < limits->tolerance;
        if (!history->converged)
            history->ended = reason_to_end(search, limits, history, clock, alpha);
    }
    sherd_search_normalise(search->step->count, search->now.x, search->now.x);
    return status;
}
