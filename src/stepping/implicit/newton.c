#include "stepping/implicit/newton.h"

#include "math/vec3.h"
#include "stepping/implicit/line_search.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 4096 };
// Limit of linear iterations, beyond which a step with a budget is abandoned: good solves take less
// than half.
enum { MAX_LINEAR_ITERATIONS = 400, MAX_ITERATIONS_IN_BUDGET = 24 };
// Without multigrid, a solution to 2e-5 takes about 6 iterations per stability limit T in a step:
// [RBDEM]'s steps are up to 440 T long.
enum { MAX_ITERATIONS_OF_SOLVE = 20000 };
// Computing a preconditioner takes as long as one or two of its iterations. All later steps profit
// from it.
static const double WORTH_RENEWING = 3.0, WORTH_RENEWING_LATER = 1.0;

sherd_newton_settings sherd_newton_settings_default(void)
{
    return (sherd_newton_settings){.tolerance = 1e-3,
                                   .curved = 1.0,
                                   .linear_tolerance = 0.03,
                                   .max_linear_iterations = MAX_LINEAR_ITERATIONS,
                                   .max_iterations = 40,
                                   .contraction = 1.0};
}

void sherd_newton_settings_linear(sherd_newton_settings *settings)
{
    settings->linear = true;
    settings->max_iterations = 1;
    settings->max_linear_iterations = MAX_ITERATIONS_OF_SOLVE;
    settings->linear_tolerance = 2e-5;
    // No displacement is neglected for being small.
    settings->tolerance = settings->move_tolerance = 0.0;
}

// ---------------------------------------------------------------- vectors

typedef struct negate_pass {
    double *to;
    const double *of;
} negate_pass;

static void negate_range(void *context, size_t begin, size_t end)
{
    const negate_pass *pass = context;
    for (size_t k = begin; k < end; ++k)
        pass->to[k] = -pass->of[k];
}

static void negate(const sherd_objective *o, double *to, const double *of)
{
    negate_pass pass = {to, of};
    sherd_parallel_for(&o->parallel, SHERD_NODE_FREEDOMS * o->stride, CHUNK, negate_range, &pass);
}

// ---------------------------------------------------------------- one iteration

typedef struct newton {
    const sherd_objective *objective;
    sherd_linear_system *system;
    sherd_linear_solver *solver;
    const sherd_newton_vectors *vectors;
    const sherd_newton_settings *settings;
    sherd_newton_report *report;
    sherd_error *error;
    const sherd_node_state *now;
    double min_move;
    double mass;      // of all elements [kg]
    double slope;     // g.x < 0
    double last;      // lambda of the previous iteration; 0 = none
    double ratio;     // contraction_to it; 0 = unknown
    double slow;      // the ratio by which steps were last extrapolated; 0: none
    bool shortened;   // the previous iteration took less than its step
    bool together;    // no grain is eliminated
    bool held;        // sliding friction has the stiffness of a parabola above its energy
    bool solved;      // the linear solve reached its tolerance
    double reduction; // of the step's error by it
} newton;

// Iterations that a linear solve would have taken to its normal tolerance.
static double iterations_to_goal(const newton *n, const sherd_linear_report *linear)
{
    double reduction = fmin(fmax(linear->reduction, 1e-12), 0.5);
    return linear->iterations * log(n->settings->linear_tolerance) / log(reduction);
}

// True if the preconditioner may be reused.
static bool may_keep(const newton *n)
{
    const sherd_newton_report *r = n->report;
    if (r->renewed) return !n->settings->renew && !r->outdated;
    return !r->stale && r->fresh > 0.0 && r->spring_count == n->system->spring_count;
}

static sherd_status solve_linear(newton *n, double enough, sherd_linear_report *linear)
{
    sherd_status status = sherd_linear_solver_prepare(n->solver, n->system, n->error);
    if (status != SHERD_OK) return status;
    int max_iterations =
        n->settings->budget > 0.0 ? MAX_ITERATIONS_IN_BUDGET : n->settings->max_linear_iterations;
    sherd_linear_goal goal = {n->settings->linear_tolerance, max_iterations, enough};
    negate(n->objective, n->vectors->trial, n->vectors->gradient);
    status = sherd_linear_solver_solve(n->solver, n->vectors->trial, n->vectors->step, &goal,
                                       linear, n->error);
    n->report->linear_iterations += linear->iterations;
    n->report->coarse += linear->iterations * linear->coarse;
    return status;
}

static void note_iterations(newton *n, double iterations, bool reused)
{
    sherd_newton_report *report = n->report;
    if (!reused) {
        report->renewed = true;
        report->fresh = fmax(iterations, 1.0);
        report->spring_count = n->system->spring_count;
    } else if (report->renewed) {
        report->outdated = iterations > report->fresh + WORTH_RENEWING;
    } else {
        report->stale = iterations > report->fresh + WORTH_RENEWING_LATER;
    }
}

// Springs of contacts, and of softening bonds.
static sherd_status set_springs(newton *n)
{
    n->system->spring_count = n->report->value.contact.spring_count;
    n->system->springs = n->report->value.contact.springs;
    const sherd_objective *o = n->objective;
    if (o->softened == NULL) return SHERD_OK;
    sherd_softened_parts parts = {o->elements, o->bonds, &o->blocks->softening};
    return sherd_softened_springs_add(o->softened, &parts, n->system, n->error);
}

static sherd_status find_direction(newton *n, double enough)
{
    sherd_status status = set_springs(n);
    if (status != SHERD_OK) return status;
    bool reused = n->system->nearly_same = may_keep(n);
    sherd_linear_report linear;
    status = solve_linear(n, enough, &linear);
    if (reused && (status == SHERD_ERROR_UNSTABLE || (status == SHERD_OK && !linear.converged))) {
        reused = n->system->nearly_same = false;
        status = solve_linear(n, enough, &linear);
    }
    if (status != SHERD_OK) return status;
    n->solved = linear.converged;
    n->reduction = linear.reduction;
    note_iterations(n, iterations_to_goal(n, &linear), reused);
    n->slope = sherd_objective_dot(n->objective, n->vectors->gradient, n->vectors->step);
    return SHERD_OK;
}

static double move_range(void *context, size_t begin, size_t end)
{
    const newton *n = context;
    const sherd_elements *e = n->objective->elements;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index i = (sherd_element_index)k;
        sherd_vec3 d = vec3_sub(sherd_element_position(e, i), sherd_node_position(n->now, k));
        sum += sherd_element_mass(e, i) * vec3_dot(d, d);
    }
    return sum;
}

// Sum over elements of m times the square of the relevant displacement in this step so far [kg
// m^2].
static double moved_squared(newton *n)
{
    const sherd_objective *o = n->objective;
    double fraction = n->settings->curved;
    return fraction * fraction *
           sherd_parallel_sum(&o->parallel, (size_t)o->elements->count, CHUNK, move_range, n);
}

// The scale of the stopping test.
static double scale_of(const newton *n, double moved2)
{
    const sherd_objective *o = n->objective;
    double gamma = o->target->gamma;
    const sherd_objective_value *v = &n->report->value;
    double strained = 2.0 * (v->bonds.energy + fmax(v->contact.energy, 0.0));
    return fmax(sqrt(gamma * gamma * moved2 + strained), n->min_move);
}

// The same for the last iteration's x; and the mass of all.
static double last_step_range(void *context, size_t begin, size_t end)
{
    const newton *n = context;
    const sherd_objective *o = n->objective;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        const double *x = n->vectors->step + k;
        double y = x[o->stride], z = x[2 * o->stride];
        sum +=
            sherd_element_mass(o->elements, (sherd_element_index)k) * (x[0] * x[0] + y * y + z * z);
    }
    return sum;
}

static double mass_range(void *context, size_t begin, size_t end)
{
    const newton *n = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += sherd_element_mass(n->objective->elements, (sherd_element_index)k);
    return sum;
}

// Tolerances of the stopping test in the present state.
typedef struct allowance {
    double scale; // of the stopping test [sqrt(J)]
    double norm;  // in A's norm [sqrt(J)]
    double move;  // of displacements, in last_step_range's measure [sqrt(kg) m]
} allowance;

static allowance allowed_now(newton *n)
{
    const sherd_newton_settings *s = n->settings;
    double moved2 = moved_squared(n), scale = scale_of(n, moved2);
    double rest = s->move_floor * sqrt(n->mass);
    bool has_move_test = s->move_tolerance > 0.0;
    return (allowance){scale, s->tolerance * scale,
                       has_move_test ? s->move_tolerance * fmax(sqrt(moved2), rest) : INFINITY};
}

// Maximum number of steps of a geometric series that are extrapolated, or made at once.
static const double MAX_STEPS = 10.0;

// Sum of the following steps, each `ratio` times the previous one, in lengths of the last: r + r^2
// + ... = r / (1 - r).
static double series_of(double ratio)
{
    return ratio < 1.0 ? fmin(ratio / (1.0 - ratio), MAX_STEPS) : MAX_STEPS;
}

// Estimate of the remaining distance after an iteration, in lengths of its step: from its
// contraction (contraction_to), if that has been measured in this solve; otherwise from the
// `expected` one, which may be wrong in both directions, limited to one step.
static double remaining_after(const newton *n, double contraction, bool measured)
{
    double remaining = series_of(fmax(contraction, n->reduction));
    return measured ? remaining : fmin(remaining, 1.0);
}

// True if displacements have converged.
static bool moves_converged(newton *n, const allowance *allowed, double remaining, bool measured)
{
    // Before the contraction is known: an iteration from a good start leaves the error of its
    // linear solve and that of curvature.
    static const double FIRST_REMAINING = 0.3;
    const sherd_objective *o = n->objective;
    if (!isfinite(allowed->move)) return true;
    size_t count = (size_t)o->elements->count;
    double last2 = sherd_parallel_sum(&o->parallel, count, CHUNK, last_step_range, n);
    double fraction = measured ? remaining : fmax(fmin(remaining, FIRST_REMAINING), n->reduction);
    return fraction * sqrt(last2) <= allowed->move;
}

// |g|^2 in the norm of the inverse of inertia alone, which is larger than lambda^2, because
// stiffness only shortens steps.
static double inertia_range(void *context, size_t begin, size_t end)
{
    const newton *n = context;
    const sherd_objective *o = n->objective;
    const sherd_elements *e = o->elements;
    double c = o->target->gamma * o->target->gamma, sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        const double *g = n->vectors->gradient + k;
        sherd_element_index i = (sherd_element_index)k;
        double force2 = 0.0, torque2 = 0.0;
        for (size_t a = 0; a < 3; ++a) {
            force2 += g[a * o->stride] * g[a * o->stride];
            torque2 += g[(a + 3) * o->stride] * g[(a + 3) * o->stride];
        }
        sum +=
            force2 / (c * sherd_element_mass(e, i)) + torque2 / (c * sherd_element_inertia(e, i));
    }
    return sum;
}

static sherd_status take_full_step(newton *n, double *fraction)
{
    const sherd_objective *o = n->objective;
    *fraction = 1.0;
    sherd_objective_move(o, n->vectors->step, *fraction);
    return sherd_objective_evaluate(o, true, n->vectors->gradient, &n->report->value, n->error);
}

static sherd_status take_step(newton *n, double reach, double *fraction)
{
    if (n->settings->linear) return take_full_step(n, fraction);
    sherd_line line = {n->objective, n->vectors->step, n->vectors->gradient, n->slope, reach};
    sherd_line_end end;
    sherd_status status = sherd_line_search(&line, &n->report->value, &end, n->error);
    *fraction = end.fraction;
    n->report->shortened += end.tries - 1;
    return status;
}

// True if there is nothing to move: free flight, or rest.
static bool is_stationary(newton *n, const allowance *allowed)
{
    const sherd_objective *o = n->objective;
    if (o->body_count > 0) return false;
    double bound2 =
        sherd_parallel_sum(&o->parallel, (size_t)o->elements->count, CHUNK, inertia_range, n);
    return sqrt(bound2) <= fmin(allowed->norm, o->target->gamma * allowed->move);
}

// In units of the stopping test's scale: farther away, two equal ratios say nothing about the
// limit.
static const double EXTRAPOLATION_RANGE = 0.01;

// A matrix that is too stiff for one mode makes steps in one direction, each shorter by the same
// ratio r: they add up to 1 / (1 - r) of the next.
static double reach_of(const newton *n, double ratio)
{
    static const double SLOW = 0.5, RATIO_TOLERANCE = 0.1;
    bool steady =
        ratio > SLOW && n->ratio > SLOW && fabs(ratio - n->ratio) < RATIO_TOLERANCE * (1.0 - ratio);
    return steady ? fmin(1.0 + series_of(ratio), MAX_STEPS) : 1.0;
}

// Smallest ratio that can be distinguished from the error of a linear solve.
static const double MIN_CONTRACTION = 0.01;

// lambda over that of the previous iteration, without the part that its linear solve left; 0: this
// is the first iteration.
static double contraction_to(const newton *n, double lambda, double remaining)
{
    if (n->last == 0.0) return 0.0;
    double ratio = fmin(lambda / n->last, 1.0);
    return sqrt(fmax(ratio * ratio - remaining * remaining, MIN_CONTRACTION * MIN_CONTRACTION));
}

// Tolerance of the linear solve if displacements are checked: as loose as the iteration permits.
// They are at most gamma times as long in A's norm.
static double enough_for(const newton *n, const allowance *allowed)
{
    static const double FRACTION = 0.5;
    if (!isfinite(allowed->move)) return 0.0;
    return FRACTION * fmin(allowed->norm, n->objective->target->gamma * allowed->move);
}

// True if the last two iterations converge badly, as when a grain is jammed.
static bool is_held_up(const newton *n, double before)
{
    static const double SLOW = 0.5;
    if (n->objective->grains == NULL || n->together) return false;
    if (n->last == 0.0 || !(n->slope < 0.0)) return false;
    return n->shortened || contraction_to(n, sqrt(-n->slope), before) > SLOW;
}

// Eliminated grains have not reached their minima, for example if friction reverses during a half
// turn.
static bool grains_unconverged(const newton *n, const allowance *allowed)
{
    const sherd_grain_elimination *grains = n->objective->grains;
    return grains != NULL && grains->count > 0 && grains->remaining > allowed->norm;
}

static void release_grains(newton *n)
{
    n->objective->grains->count = 0;
    n->together = true;
}

// Eliminates grains that slow the iteration down, and computes the direction again.
static sherd_status choose_direction(newton *n, const allowance *allowed)
{
    const sherd_objective *o = n->objective;
    const sherd_newton_vectors *v = n->vectors;
    double before = n->reduction, enough = enough_for(n, allowed);
    if (grains_unconverged(n, allowed)) release_grains(n);
    sherd_status status = find_direction(n, enough);
    if (status == SHERD_OK && is_held_up(n, before) &&
        sherd_grains_eliminate(o->grains, o->trial, o->elements, v->gradient, v->step, o->stride,
                               n->slope)) {
        o->grains->enough = 0.1 * allowed->norm;
        status = sherd_objective_evaluate(o, true, v->gradient, &n->report->value, n->error);
        if (status == SHERD_OK) status = find_direction(n, enough);
    }
    if (status != SHERD_OK || o->grains == NULL || o->grains->count == 0) return status;
    sherd_grains_clear_step(o->grains, v->step, o->stride);
    n->slope = sherd_objective_dot(o, v->gradient, v->step);
    if (n->slope < 0.0) return SHERD_OK;
    release_grains(n);
    return find_direction(n, enough);
}

static void judge(newton *n, double lambda, double contraction, bool measured, double fraction)
{
    sherd_newton_report *report = n->report;
    allowance allowed = allowed_now(n);
    double remaining = remaining_after(n, contraction, measured);
    report->remaining_norm = lambda * remaining;
    report->remaining = report->remaining_norm / allowed.scale;
    report->converged = n->solved && fraction == 1.0 && report->remaining_norm <= allowed.norm &&
                        !grains_unconverged(n, &allowed) &&
                        moves_converged(n, &allowed, remaining, measured);
    // No decrease, if only rounding is left to gain.
    if (fraction == 0.0)
        report->converged = lambda <= allowed.norm && !grains_unconverged(n, &allowed);
    if (n->settings->linear) report->converged = n->solved;
}

static bool is_unwanted(const newton *n, double moved)
{
    const sherd_newton_settings *s = n->settings;
    return s->unwanted != NULL && moved < 1.0 && s->unwanted(s->context);
}

// If bodies stand on few contacts, only inertia resists slip: a step reverses all slips again and
// again, and the line search stops it at the first kink. Parabolas above friction's energy lead in
// few full steps to sticking contacts, but only slowly to sliding ones: then they are switched off.
static sherd_status choose_slides(newton *n, double ratio, double fraction)
{
    static const double KINK_FRACTION = 0.3, SLOW = 0.5; // of a step; contraction
    const sherd_objective *o = n->objective;
    if (o->trial == NULL || n->settings->linear || n->report->value.contact.sliding == 0)
        return SHERD_OK;
    bool hold = n->held ? fraction < 1.0 || ratio < SLOW : fraction < KINK_FRACTION;
    if (hold == n->held) return SHERD_OK;
    n->held = hold;
    n->ratio = 0.0; // the matrix changed
    sherd_contact_trial_hold_slides(o->trial, hold);
    return sherd_objective_evaluate(o, true, n->vectors->gradient, &n->report->value, n->error);
}

// True if contacts began, ended, slid or stuck since: the previous contraction does not apply to
// such an iteration.
static bool regrouped(const newton *n, const sherd_contact_potential *since)
{
    const sherd_contact_potential *now = &n->report->value.contact;
    return now->touching != since->touching || now->sliding != since->sliding;
}

static sherd_status iterate(newton *n, bool *done)
{
    allowance allowed = allowed_now(n);
    if (is_stationary(n, &allowed)) {
        n->report->converged = *done = true;
        return SHERD_OK;
    }
    double before = n->reduction;
    sherd_status status = choose_direction(n, &allowed);
    if (status != SHERD_OK) return status;
    if (!(n->slope < 0.0)) { // at the minimum to rounding, or NaN
        n->report->converged = n->slope == 0.0;
        *done = true;
        return SHERD_OK;
    }
    bool first = n->last == 0.0;
    double lambda = sqrt(-n->slope), ratio = contraction_to(n, lambda, before);
    double reach = lambda < EXTRAPOLATION_RANGE * allowed.scale ? reach_of(n, ratio) : 1.0,
           fraction;
    const sherd_contact_potential start = n->report->value.contact;
    status = take_step(n, reach, &fraction);
    if (status != SHERD_OK) return status;
    ++n->report->iterations;
    if (!first) n->report->contraction = fmax(n->report->contraction, ratio);
    n->last = lambda;
    n->shortened = fraction < 1.0;
    n->ratio = fraction == 1.0 ? ratio : 0.0;
    double expected = regrouped(n, &start) ? 1.0 : n->settings->contraction;
    if (reach > 1.0) n->slow = ratio;
    judge(n, lambda, first ? expected : fmax(ratio, n->slow), !first, fraction);
    n->report->unwanted = !n->report->converged && is_unwanted(n, lambda / allowed.scale);
    *done = n->report->converged || n->report->unwanted || fraction == 0.0;
    return *done ? SHERD_OK : choose_slides(n, first ? 0.0 : ratio, fraction);
}

sherd_status sherd_newton_solve(const sherd_objective *objective, sherd_linear_system *system,
                                sherd_linear_solver *solver, const sherd_newton_vectors *vectors,
                                const sherd_newton_settings *settings, const sherd_node_state *now,
                                double min_move, bool evaluated, sherd_newton_report *report,
                                sherd_error *error)
{
    *report =
        (sherd_newton_report){.fresh = settings->fresh,
                              .spring_count = settings->spring_count,
                              .value = evaluated ? report->value : (sherd_objective_value){0}};
    newton n = {.objective = objective,
                .system = system,
                .solver = solver,
                .vectors = vectors,
                .settings = settings,
                .report = report,
                .error = error,
                .now = now,
                .min_move = min_move};
    sherd_status status = SHERD_OK;
    if (!evaluated)
        status =
            sherd_objective_evaluate(objective, true, vectors->gradient, &report->value, error);
    n.together =
        objective->grains == NULL || !sherd_grains_are_few(objective->trial, objective->elements);
    n.mass = sherd_parallel_sum(&objective->parallel, (size_t)objective->elements->count, CHUNK,
                                mass_range, &n);
    bool done = false;
    double budget = settings->budget > 0.0 ? settings->budget : INFINITY;
    while (status == SHERD_OK && !done && report->iterations < settings->max_iterations &&
           sherd_newton_spent(report->iterations, report->coarse) < budget)
        status = iterate(&n, &done);
    if (n.held) sherd_contact_trial_hold_slides(objective->trial, false);
    // Beyond a barrier there is no minimum, whatever the gradient.
    if (!isfinite(report->value.energy)) report->converged = false;
    return status;
}
