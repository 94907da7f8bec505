// Methods over positions and rotations, six unknowns an element: dp and the world rotation vector dtheta,
// steps along geodesics.                                                       [IBDEM25] Algorithms 1-3
#include "research/methods.h"

#include "math/quat.h"
#include "models/bonded/hessian/nullspace.h"

#include <string.h>

enum { W = SHERD_REF_MOTION };

double sherd_method_energy(const sherd_search *search, const double *x, const double *multiplier)
{
    (void)multiplier;
    return sherd_ref_step_energy(search->step, x);
}

void sherd_method_gradient(sherd_search *search)
{
    const sherd_ref_step *step = search->step;
    sherd_ref_step_gradient(step, search->now.x, search->bond_gradients, search->full_gradient);
    for (size_t k = 0; k < (size_t)step->count; ++k)
        sherd_ref_restrict_gradient(search->now.x + k * SHERD_REF_END,
                                    search->full_gradient + k * SHERD_REF_END,
                                    search->gradient + k * W);
    sherd_search_clear_fixed(search, search->gradient);
}

// ---------------------------------------------------------------- matrices

static void bond_blocks(void *context, size_t begin, size_t end)
{
    sherd_search *s = context;
    for (size_t b = begin; b < end; ++b) {
        const sherd_ref_bond *bond = &s->step->bonds[b];
        const double *x_i = s->now.x + (size_t)bond->i * SHERD_REF_END;
        const double *x_j = s->now.x + (size_t)bond->j * SHERD_REF_END;
        const double *gradient = s->bond_gradients + b * SHERD_REF_PAIR;
        double h[SHERD_REF_PAIR][SHERD_REF_PAIR], out[2 * W][2 * W];
        sherd_ref_bond_hessian(bond, x_i, x_j, s->hessian, h);
        sherd_ref_restrict_hessian(x_i, x_j, s->hessian == SHERD_REF_FULL ? gradient : NULL, h,
                                   out);
        if (s->method->matrix == SHERD_MATRIX_PROJECTED) sherd_ref_project_hessian(bond->l0, out);
        memcpy(s->matrix.pairs + b * sizeof out / sizeof(double), out, sizeof out);
    }
}

// Inertia on the sphere: c I q.q^ (the curvature term included), never negative; c I in Gauss-Newton.
static void node_block(const sherd_search *s, size_t k)
{
    const double *q = s->now.x + k * SHERD_REF_END + 3;
    const double *target = s->step->target + k * SHERD_REF_END + 3;
    double cosine = q[0] * target[0] + q[1] * target[1] + q[2] * target[2] + q[3] * target[3];
    double turning = s->step->inertia * sherd_ref_moment(s->step, (sherd_element_index)k);
    if (s->hessian == SHERD_REF_FULL) turning *= fmax(cosine, 0.0);
    double h[3][3], *block = s->matrix.nodes + k * W * W;
    sherd_ref_node_hessian(s->step, s->now.x, (sherd_element_index)k, h);
    memset(block, 0, sizeof(double) * W * W);
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c)
            block[r * W + c] = h[r][c];
        block[(3 + r) * W + 3 + r] = turning;
    }
}

void sherd_method_linearise_motion(sherd_search *search)
{
    sherd_method_gradient(search);
    sherd_parallel_for(&search->step->parallel, (size_t)search->step->bond_count, SHERD_REF_CHUNK,
                       bond_blocks, search);
    for (size_t k = 0; k < (size_t)search->step->count; ++k)
        node_block(search, k);
}

// (20), (21): exp(alpha dtheta / 2) q is the point of the geodesic, for dq = dtheta q / 2.
static void move(sherd_search *search, double alpha)
{
    for (size_t k = 0; k < (size_t)search->step->count; ++k) {
        const double *x = search->now.x + k * SHERD_REF_END, *d = search->direction + k * W;
        double *to = search->trial.x + k * SHERD_REF_END;
        for (int c = 0; c < 3; ++c)
            to[c] = x[c] + alpha * d[c];
        sherd_vec3 turn = vec3(alpha * d[3], alpha * d[4], alpha * d[5]);
        sherd_quat q = quat_multiply(quat_from_rotation_vector(turn), quat(x[3], x[4], x[5], x[6]));
        q = quat_normalize(q); // (22): rounding
        to[3] = q.x, to[4] = q.y, to[5] = q.z, to[6] = q.w;
    }
}

const sherd_search_method sherd_method_newton = {
    .name = "manifold Newton",
    .width = W,
    .pair_width = W,
    .merit = sherd_method_energy,
    .linearise = sherd_method_linearise_motion,
    .move = move,
};

const sherd_search_method sherd_method_projected = {
    .name = "projected Newton",
    .width = W,
    .pair_width = W,
    .merit = sherd_method_energy,
    .linearise = sherd_method_linearise_motion,
    .move = move,
    .matrix = SHERD_MATRIX_PROJECTED,
};

const sherd_search_method sherd_method_gauss_newton = {
    .name = "Gauss-Newton",
    .width = W,
    .pair_width = W,
    .merit = sherd_method_energy,
    .linearise = sherd_method_linearise_motion,
    .move = move,
    .matrix = SHERD_MATRIX_GAUSS_NEWTON,
};

// ---------------------------------------------------------------- descent

// Of (dp, dtheta): which freedoms are as heavy as each other.
static double weight(const sherd_search *s, size_t unknown)
{
    sherd_element_index k = (sherd_element_index)(unknown / W);
    return unknown % W < 3 ? s->step->mass[k] : sherd_ref_moment(s->step, k);
}

// Barzilai and Borwein's length, from the last step and the change of the gradient over it; at first, and
// where the energy bends down, what suits the stiffest motion a lattice has: c + 16 kn / m, (30).
static double first_length(const sherd_search *s)
{
    size_t size = (size_t)s->step->count * W;
    if (s->trial_length > 0.0) {
        double travelled = 0.0, bent = 0.0; // s.M s, s.y with s = -alpha M^-1 former
        for (size_t k = 0; k < size; ++k) {
            double moved = -s->trial_length * s->former[k] / weight(s, k);
            travelled += weight(s, k) * moved * moved;
            bent += moved * (s->gradient[k] - s->former[k]);
        }
        if (bent > 0.0) return travelled / bent;
    }
    return 1.0 / (s->step->inertia + 16.0 * s->force / s->length / s->step->mass[0]);
}

static void linearise_descent(sherd_search *search)
{
    size_t size = (size_t)search->step->count * W;
    sherd_method_gradient(search);
    double alpha = first_length(search);
    for (size_t k = 0; k < size; ++k)
        search->direction[k] = -alpha * search->gradient[k] / weight(search, k);
    memcpy(search->former, search->gradient, sizeof(double) * size);
    search->trial_length = alpha;
}

const sherd_search_method sherd_method_descent = {
    .name = "manifold descent",
    .width = W,
    .merit = sherd_method_energy,
    .linearise = linearise_descent,
    .move = move,
};
