#include "stepping/implicit/manifold.h"

#include "base/error.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "stepping/implicit/line_search.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 4096, FREEDOMS = SHERD_NODE_FREEDOMS };

// ---------------------------------------------------------------- the algorithms

typedef struct manifold manifold;

typedef struct algorithm {
    sherd_status (*find_direction)(manifold *m);
    bool projected;
    int max_iterations;
} algorithm;

struct manifold {
    const sherd_manifold_parts *parts;
    const sherd_manifold_settings *settings;
    const algorithm *row;
    sherd_newton_report *report;
    sherd_error *error;
    double size, scale; // of the gradient: now, and what it is compared with [N]
    double slope;       // g.x [J]
    double taken;       // share of the last direction; 0: there was none
};

// ---------------------------------------------------------------- size of the gradient

// Sums of squares over elements.
typedef struct gradient_sums {
    const sherd_objective *objective;
    const double *gradient;
    double rotation; // weight of a squared torque; 0: over the radius squared
} gradient_sums;

static double squares_range(void *context, size_t begin, size_t end)
{
    const gradient_sums *s = context;
    const sherd_objective *o = s->objective;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        double r = sherd_element_radius(o->elements, (sherd_element_index)k);
        double weight = s->rotation > 0.0 ? s->rotation : 1.0 / (r * r);
        for (size_t c = 0; c < FREEDOMS; ++c) {
            double g = s->gradient[c * o->stride + k];
            sum += (c < 3 ? 1.0 : weight) * g * g;
        }
    }
    return sum;
}

static double sum_squares(const manifold *m, double rotation)
{
    const sherd_objective *o = m->parts->objective;
    gradient_sums sums = {o, m->parts->vectors->gradient, rotation};
    return sherd_parallel_sum(&o->parallel, (size_t)o->elements->count, CHUNK, squares_range,
                              &sums);
}

static double gradient_size(const manifold *m)
{
    return sqrt(sum_squares(m, 0.0) / (double)m->parts->objective->elements->count);
}

static double mean_weight(const manifold *m)
{
    const sherd_elements *e = m->parts->objective->elements;
    double sum = 0.0;
    for (sherd_element_index k = 0; k < e->count; ++k)
        sum += sherd_element_mass(e, k) * sherd_element_mass(e, k);
    return sqrt(sum / (double)e->count) * vec3_length(m->parts->gravity);
}

double sherd_manifold_relative_error(double gradient)
{
    return fmin(0.5, sqrt(gradient));
}

// Printed is the gradient's norm in newtons, over positions and quaternions, whose derivative is twice
// the torque. A number without unit is its size over the scale of the stopping test.
static double linear_tolerance(const manifold *m)
{
    double size = m->settings->as_printed ? sqrt(sum_squares(m, 4.0)) : m->size / m->scale;
    return sherd_manifold_relative_error(size);
}

// ---------------------------------------------------------------- Algorithms 2 and 3

static sherd_status solve_with(manifold *m, sherd_linear_system *system, bool *solved)
{
    enum { MAX_LINEAR_ITERATIONS = 1000 };
    const sherd_newton_vectors *v = m->parts->vectors;
    sherd_linear_report linear = {0};
    sherd_status status = sherd_linear_solver_prepare(m->parts->solver, system, m->error);
    sherd_linear_goal goal = {linear_tolerance(m), MAX_LINEAR_ITERATIONS, 0.0};
    if (status == SHERD_OK)
        status = sherd_linear_solver_solve(m->parts->solver, v->trial, v->step, &goal, &linear,
                                           m->error);
    m->report->linear_iterations += linear.iterations;
    m->report->coarse += linear.iterations * linear.coarse;
    *solved = status == SHERD_OK && linear.converged;
    return status;
}

static void set_right_side(const manifold *m)
{
    const sherd_newton_vectors *v = m->parts->vectors;
    for (size_t k = 0; k < FREEDOMS * m->parts->objective->stride; ++k)
        v->trial[k] = -v->gradient[k];
}

// Where the matrix is indefinite, the Gauss-Newton matrix takes its place: Algorithm 2 does not say
// what then.
static sherd_status find_newton(manifold *m)
{
    const sherd_manifold_parts *p = m->parts;
    sherd_linear_system gauss_newton = *p->system;
    gauss_newton.spring_count = m->report->value.contact.spring_count;
    gauss_newton.springs = m->report->value.contact.springs;
    sherd_linear_system exact = gauss_newton;
    sherd_bond_hessians_fill(
        p->hessians,
        &(sherd_bond_hessian_parts){p->model, m->row->projected, p->objective->target->free_q},
        &exact);
    set_right_side(m);
    bool solved;
    sherd_status status = solve_with(m, &exact, &solved);
    if (solved || (status != SHERD_OK && status != SHERD_ERROR_UNSTABLE)) return status;
    if (status != SHERD_OK) sherd_error_clear(m->error);
    return solve_with(m, &gauss_newton, &solved);
}

// ---------------------------------------------------------------- Algorithm 1

// The metric of masses: printed is the gradient itself, in which metres and quaternions mix.
static double weight_of(const manifold *m, size_t c, size_t k)
{
    const sherd_elements *e = m->parts->objective->elements;
    if (m->settings->as_printed) return 1.0;
    return c < 3 ? sherd_element_mass(e, (sherd_element_index)k)
                 : sherd_element_inertia(e, (sherd_element_index)k);
}

// The length of Barzilai and Borwein from the last move s and the change y of the gradient over it,
// s.M s / s.y; at first that of the stiffest motion.
static double descent_length(const manifold *m)
{
    const sherd_objective *o = m->parts->objective;
    const sherd_newton_vectors *v = m->parts->vectors;
    double moved = 0.0, bent = 0.0;
    if (m->taken > 0.0)
        for (size_t c = 0; c < FREEDOMS; ++c)
            for (size_t k = 0; k < (size_t)o->elements->count; ++k) {
                size_t at = c * o->stride + k;
                double s = m->taken * v->step[at];
                moved += weight_of(m, c, k) * s * s;
                bent += s * (v->gradient[at] - v->trial[at]);
            }
    if (bent > 0.0) return moved / bent;
    double gamma = o->target->gamma, dt = m->settings->explicit_dt;
    double first = 1.0 / (gamma * gamma + 4.0 / (dt * dt));
    return m->settings->as_printed ? first / sherd_element_mass(o->elements, 0) : first;
}

static sherd_status find_descent(manifold *m)
{
    const sherd_objective *o = m->parts->objective;
    const sherd_newton_vectors *v = m->parts->vectors;
    double alpha = descent_length(m);
    for (size_t c = 0; c < FREEDOMS; ++c)
        for (size_t k = 0; k < (size_t)o->elements->count; ++k) {
            size_t at = c * o->stride + k;
            v->trial[at] = v->gradient[at];
            v->step[at] = -alpha * v->gradient[at] / weight_of(m, c, k);
        }
    return SHERD_OK;
}

static const algorithm ALGORITHMS[SHERD_STEP_OPTIMIZER_COUNT] = {
    [SHERD_STEP_OPTIMIZER_ALGORITHM_1] = {find_descent, false, 20000},
    [SHERD_STEP_OPTIMIZER_ALGORITHM_2] = {find_newton, false, 200},
    [SHERD_STEP_OPTIMIZER_ALGORITHM_3] = {find_newton, true, 200},
};

// ---------------------------------------------------------------- the loop

// Forces of bonds in single precision are no better than this fraction of E S, and the energy hides
// what a step smaller than this gains.
static bool is_rounding(const manifold *m)
{
    static const double ROUNDING = 1e-6;
    const sherd_elements *e = m->parts->objective->elements;
    const sherd_bonds *bonds = m->parts->model.bonds;
    double r = sherd_element_radius(e, 0), most = 0.0;
    for (int k = 0; k < bonds->material_count; ++k)
        most = fmax(most, bonds->materials[k].youngs_modulus);
    return m->size <= ROUNDING * most * M_PI * r * r;
}

static sherd_status iterate(manifold *m, bool *done)
{
    const sherd_newton_vectors *v = m->parts->vectors;
    sherd_status status = m->row->find_direction(m);
    if (status != SHERD_OK) return status;
    m->slope = sherd_objective_dot(m->parts->objective, v->gradient, v->step);
    sherd_line_end end = {0.0, 0};
    sherd_line line = {m->parts->objective, v->step, v->gradient, m->slope, 1.0};
    if (m->slope < 0.0) status = sherd_line_search(&line, &m->report->value, &end, m->error);
    if (status != SHERD_OK) return status;
    m->taken = end.fraction;
    m->size = gradient_size(m);
    m->report->shortened += end.tries > 0 ? end.tries - 1 : 0;
    ++m->report->iterations;
    m->report->converged = m->size <= m->settings->tolerance * m->scale;
    *done = m->report->converged || end.fraction == 0.0;
    if (end.fraction == 0.0) m->report->converged = is_rounding(m);
    return SHERD_OK;
}

sherd_status sherd_manifold_minimise(const sherd_manifold_parts *parts,
                                     const sherd_manifold_settings *settings,
                                     sherd_newton_report *report, sherd_error *error)
{
    *report = (sherd_newton_report){.converged = false};
    manifold m = {.parts = parts,
                  .settings = settings,
                  .row = &ALGORITHMS[settings->algorithm],
                  .report = report,
                  .error = error};
    size_t size = FREEDOMS * parts->objective->stride;
    memset(parts->vectors->step, 0, size * sizeof *parts->vectors->step);
    sherd_status status = sherd_objective_evaluate(parts->objective, true, parts->vectors->gradient,
                                                   &report->value, error);
    if (status != SHERD_OK) return status;
    m.size = gradient_size(&m);
    m.scale = fmax(m.size, mean_weight(&m));
    bool done = report->converged = m.size <= settings->tolerance * m.scale;
    while (status == SHERD_OK && !done && report->iterations < m.row->max_iterations)
        status = iterate(&m, &done);
    report->remaining = m.scale > 0.0 ? m.size / m.scale : 0.0;
    if (!isfinite(report->value.energy)) report->converged = false;
    return status;
}

// ---------------------------------------------------------------- the printed prediction

void sherd_manifold_predict_chord(sherd_scheme_target *target, const sherd_node_state *now,
                                  sherd_elements *elements)
{
    double dt = 1.0 / target->gamma;
    for (size_t k = 0; k < (size_t)now->count; ++k) {
        sherd_vec3 back = vec3_scale(-dt, sherd_node_spin(now, k));
        sherd_quat q = sherd_node_orientation(now, k);
        sherd_quat before = quat_multiply(quat_from_rotation_vector(back), q);
        sherd_quat ahead = quat_normalize(quat(2.0 * q.x - before.x, 2.0 * q.y - before.y,
                                               2.0 * q.z - before.z, 2.0 * q.w - before.w));
        target->free_q[0][k] = ahead.x, target->free_q[1][k] = ahead.y;
        target->free_q[2][k] = ahead.z, target->free_q[3][k] = ahead.w;
        sherd_element_set_pose(elements, k,
                               sherd_element_position(elements, (sherd_element_index)k), ahead);
    }
}
