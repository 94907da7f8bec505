// Newton in four components a quaternion: gradient and Hessian of the manifold in the coordinates of the
// space around it, (19) and (23)-(27). The matrix has a null direction q for every element, which the
// nullspace operator would have removed; here its diagonal gets an entry that changes no solution.
#include "research/methods.h"

#include "models/bonded/hessian/nullspace.h"

#include <math.h>
#include <string.h>

enum { W = SHERD_REF_END };

static double radial_part(const double *q, const double *v)
{
    return q[0] * v[0] + q[1] * v[1] + q[2] * v[2] + q[3] * v[3];
}

// v <- (1 - q q') v for the four components from v on, `stride` apart.
static void project(const double *q, double *v, int stride)
{
    double radial = 0.0;
    for (int c = 0; c < 4; ++c)
        radial += q[c] * v[c * stride];
    for (int c = 0; c < 4; ++c)
        v[c * stride] -= radial * q[c];
}

// (24)-(27) of a bond, the curvature from its own gradient; NULL leaves it out.
static void restrict_pair(const double *const x[2], const double *gradient,
                          double h[SHERD_REF_PAIR][SHERD_REF_PAIR])
{
    for (int a = 0; a < 2; ++a)
        for (int k = 0; k < SHERD_REF_PAIR; ++k) {
            project(x[a] + 3, &h[k][a * W + 3], 1);
            project(x[a] + 3, &h[a * W + 3][k], SHERD_REF_PAIR);
        }
    for (int a = 0; a < 2 && gradient != NULL; ++a) {
        const double *q = x[a] + 3;
        double radial = radial_part(q, gradient + a * W + 3);
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 4; ++c)
                h[a * W + 3 + r][a * W + 3 + c] -= radial * ((r == c) - q[r] * q[c]);
    }
}

static void bond_blocks(void *context, size_t begin, size_t end)
{
    sherd_search *s = context;
    for (size_t b = begin; b < end; ++b) {
        const sherd_ref_bond *bond = &s->step->bonds[b];
        const double *const x[2] = {s->now.x + (size_t)bond->i * W, s->now.x + (size_t)bond->j * W};
        double h[SHERD_REF_PAIR][SHERD_REF_PAIR];
        sherd_ref_bond_hessian(bond, x[0], x[1], s->hessian, h);
        restrict_pair(
            x, s->hessian == SHERD_REF_FULL ? s->bond_gradients + b * SHERD_REF_PAIR : NULL, h);
        memcpy(s->matrix.pairs + b * sizeof h / sizeof(double), h, sizeof h);
    }
}

static void node_block(const sherd_search *s, size_t k)
{
    const double *q = s->now.x + k * W + 3;
    double turning = 4.0 * s->step->inertia * sherd_ref_moment(s->step, (sherd_element_index)k);
    double inertia = turning * fmax(radial_part(q, s->step->target + k * W + 3), 0.0);
    double radial = turning + s->moment;
    double h[3][3], *block = s->matrix.nodes + k * W * W;
    sherd_ref_node_hessian(s->step, s->now.x, (sherd_element_index)k, h);
    memset(block, 0, sizeof(double) * W * W);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            block[r * W + c] = h[r][c];
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            block[(3 + r) * W + 3 + c] =
                (r == c ? inertia : 0.0) + (radial - inertia) * q[r] * q[c];
}

static void linearise(sherd_search *search)
{
    const sherd_ref_step *step = search->step;
    sherd_ref_step_gradient(step, search->now.x, search->bond_gradients, search->full_gradient);
    memcpy(search->gradient, search->full_gradient, sizeof(double) * (size_t)step->count * W);
    for (size_t k = 0; k < (size_t)step->count; ++k)
        project(search->now.x + k * W + 3, search->gradient + k * W + 3, 1);
    sherd_search_clear_fixed(search, search->gradient);
    sherd_parallel_for(&step->parallel, (size_t)step->bond_count, SHERD_REF_CHUNK, bond_blocks,
                       search);
    for (size_t k = 0; k < (size_t)step->count; ++k)
        node_block(search, k);
}

void sherd_method_move_straight(sherd_search *search, double alpha)
{
    size_t w = (size_t)search->method->width;
    for (size_t k = 0; k < (size_t)search->step->count; ++k)
        for (size_t c = 0; c < W; ++c)
            search->trial.x[k * W + c] =
                search->now.x[k * W + c] + alpha * search->direction[k * w + c];
}

static void move(sherd_search *search, double alpha)
{
    sherd_method_move_straight(search, alpha);
    sherd_search_normalise(search->step->count, search->trial.x, search->trial.x);
}

const sherd_search_method sherd_method_quaternion = {
    .name = "quaternion Newton",
    .width = W,
    .pair_width = W,
    .merit = sherd_method_energy,
    .linearise = linearise,
    .move = move,
};
