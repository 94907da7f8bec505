// Methods that treat |q| = 1 as a constraint C(q) = (q.q - 1)/2 = 0 on quaternions that may leave the
// sphere on the way: penalty (36), Lagrange multipliers (37), augmented Lagrangian (38).
#include "research/methods.h"

#include <math.h>
#include <string.h>

enum { W = SHERD_REF_END };

// Of kappa, once a subproblem is solved.
static const double PENALTY_GROWTH = 10.0;

// A subproblem is solved well enough when its own residual is below this share of what is wrong with the
// constraint still.
static const double INNER_SHARE = 0.1;

static double constraint(const double *x)
{
    return 0.5 * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6] - 1.0);
}

static bool is_free(const sherd_search *s, size_t k)
{
    return (s->held[k] & SHERD_HOLD_ROTATION) == 0;
}

// Phi + lambda.C + 1/2 kappa C.C
static double augmented_merit(const sherd_search *search, const double *x, const double *multiplier)
{
    double sum = sherd_ref_step_energy(search->step, x), kappa = search->penalty;
    for (size_t k = 0; k < (size_t)search->step->count; ++k) {
        double c = constraint(x + k * W);
        sum += (multiplier[k] + 0.5 * kappa * c) * c;
    }
    return sum;
}

// ---------------------------------------------------------------- matrices over seven numbers

static void bond_blocks(void *context, size_t begin, size_t end)
{
    sherd_search *s = context;
    for (size_t b = begin; b < end; ++b) {
        const sherd_ref_bond *bond = &s->step->bonds[b];
        double h[SHERD_REF_PAIR][SHERD_REF_PAIR];
        sherd_ref_bond_hessian(bond, s->now.x + (size_t)bond->i * W, s->now.x + (size_t)bond->j * W,
                               s->hessian, h);
        memcpy(s->matrix.pairs + b * sizeof h / sizeof(double), h, sizeof h);
    }
}

static void fill_bonds(sherd_search *search)
{
    sherd_parallel_for(&search->step->parallel, (size_t)search->step->bond_count, SHERD_REF_CHUNK,
                       bond_blocks, search);
}

// Inertia, and on the quaternion `round` 1 + `radial` q q'.
static void fill_node(const sherd_search *s, size_t k, double round, double radial)
{
    int w = s->method->width;
    double *block = s->matrix.nodes + k * (size_t)(w * w), h[3][3];
    const double *q = s->now.x + k * W + 3;
    double turning = 4.0 * s->step->inertia * sherd_ref_moment(s->step, (sherd_element_index)k);
    sherd_ref_node_hessian(s->step, s->now.x, (sherd_element_index)k, h);
    memset(block, 0, sizeof(double) * (size_t)(w * w));
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            block[r * w + c] = h[r][c];
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            block[(3 + r) * w + 3 + c] = (r == c ? turning + round : 0.0) + radial * q[r] * q[c];
}

// ---------------------------------------------------------------- penalty, augmented Lagrangian

static void linearise_augmented(sherd_search *search)
{
    const sherd_ref_step *step = search->step;
    sherd_ref_step_gradient(step, search->now.x, search->bond_gradients, search->full_gradient);
    memcpy(search->gradient, search->full_gradient, sizeof(double) * (size_t)step->count * W);
    fill_bonds(search);
    for (size_t k = 0; k < (size_t)step->count; ++k) {
        const double *x = search->now.x + k * W;
        double pull = search->now.multiplier[k] + search->penalty * constraint(x);
        for (int c = 3; c < W; ++c)
            search->gradient[k * W + (size_t)c] += pull * x[c];
        fill_node(search, k, search->hessian == SHERD_REF_FULL ? pull : fmax(pull, 0.0),
                  search->penalty);
    }
    sherd_search_clear_fixed(search, search->gradient);
}

// Root mean square of the merit function's own gradient at the present iterate, as residuals count:
// quaternion components are twice a torque.
static double inner_residual(sherd_search *s)
{
    const sherd_ref_step *step = s->step;
    sherd_ref_step_gradient(step, s->now.x, s->bond_gradients, s->full_gradient);
    double sum = 0.0;
    for (size_t k = 0; k < (size_t)step->count; ++k) {
        double *g = s->full_gradient + k * W;
        double pull = s->now.multiplier[k] + s->penalty * constraint(s->now.x + k * W);
        for (int c = 0; c < 3; ++c)
            sum += s->held[k] & (SHERD_HOLD_X << c) ? 0.0 : g[c] * g[c];
        for (int c = 3; c < W && is_free(s, k); ++c) {
            double torque = 0.5 * (g[c] + pull * s->now.x[k * W + (size_t)c]);
            sum += torque * torque / (step->radius[k] * step->radius[k]);
        }
    }
    return sqrt(sum / step->count) / s->force;
}

static void update_penalty(sherd_search *search)
{
    if (inner_residual(search) < INNER_SHARE * search->residual) search->penalty *= PENALTY_GROWTH;
}

static void update_augmented(sherd_search *search)
{
    if (!(inner_residual(search) < INNER_SHARE * search->residual)) return;
    for (size_t k = 0; k < (size_t)search->step->count; ++k)
        if (is_free(search, k))
            search->now.multiplier[k] += search->penalty * constraint(search->now.x + k * W);
}

const sherd_search_method sherd_method_penalty = {
    .name = "penalty",
    .width = W,
    .pair_width = W,
    .merit = augmented_merit,
    .linearise = linearise_augmented,
    .move = sherd_method_move_straight,
    .update = update_penalty,
};

const sherd_search_method sherd_method_penalty_fixed = {
    .name = "penalty, kappa fixed",
    .width = W,
    .pair_width = W,
    .merit = augmented_merit,
    .linearise = linearise_augmented,
    .move = sherd_method_move_straight,
    .residual = inner_residual, // what is wrong with the constraint stays
};

const sherd_search_method sherd_method_augmented = {
    .name = "augmented Lagrangian",
    .width = W,
    .pair_width = W,
    .merit = augmented_merit,
    .linearise = linearise_augmented,
    .move = sherd_method_move_straight,
    .update = update_augmented,
};

// ---------------------------------------------------------------- Lagrange multipliers

// Half the square of the conditions grad Phi + lambda q = 0, C = 0, without units: Newton's direction
// makes all of them smaller at the same rate.
static double conditions(const sherd_search *s, const double *x, const double *multiplier)
{
    const sherd_ref_step *step = s->step;
    double *g = s->full_gradient, sum = 0.0;
    sherd_ref_step_gradient(step, x, s->bond_gradients, g);
    for (size_t k = 0; k < (size_t)step->count; ++k) {
        const double *at = x + k * W;
        for (size_t c = 0; c < W; ++c) {
            bool held = c < 3 ? (s->held[k] & (SHERD_HOLD_X << c)) != 0 : !is_free(s, k);
            if (held) continue;
            double scale = c < 3 ? s->force : s->force * s->length;
            double value = g[k * W + c] + (c < 3 ? 0.0 : multiplier[k] * at[c]);
            sum += (value / scale) * (value / scale);
        }
        if (is_free(s, k)) sum += constraint(at) * constraint(at);
    }
    return 0.5 * sum;
}

static void linearise_conditions(sherd_search *search)
{
    const int w = W + 1;
    sherd_ref_step_gradient(search->step, search->now.x, search->bond_gradients,
                            search->full_gradient);
    fill_bonds(search);
    for (size_t k = 0; k < (size_t)search->step->count; ++k) {
        const double *x = search->now.x + k * W;
        double *g = search->gradient + k * (size_t)w, lambda = search->now.multiplier[k];
        double *block = search->matrix.nodes + k * (size_t)(w * w);
        for (int c = 0; c < W; ++c)
            g[c] = search->full_gradient[k * W + (size_t)c] + (c < 3 ? 0.0 : lambda * x[c]);
        g[W] = constraint(x);
        fill_node(search, k, lambda, 0.0);
        for (int c = 3; c < W; ++c)
            block[c * w + W] = block[W * w + c] = x[c];
    }
    sherd_search_clear_fixed(search, search->gradient);
}

static void move_with_multipliers(sherd_search *search, double alpha)
{
    sherd_method_move_straight(search, alpha);
    for (size_t k = 0; k < (size_t)search->step->count; ++k)
        search->trial.multiplier[k] =
            search->now.multiplier[k] + alpha * search->direction[k * (W + 1) + W];
}

const sherd_search_method sherd_method_multipliers = {
    .name = "Lagrange multipliers",
    .width = W + 1,
    .pair_width = W,
    .merit = conditions,
    .linearise = linearise_conditions,
    .move = move_with_multipliers,
    .matrix = SHERD_MATRIX_INDEFINITE,
    .conditions = true,
};
