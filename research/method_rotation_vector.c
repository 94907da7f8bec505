// Total rotation vectors as unknowns: q = exp(theta / 2), with Gauss-Newton, as [IBDEM25] 6.1 compares
// with. A change of theta turns an element by J(theta) dtheta (world axes), with the left Jacobian of
// the exponential map
//   J = 1 + (1 - cos a)/a^2 [theta x] + (a - sin a)/a^3 [theta x]^2,   a = |theta|
// Steps are straight lines in theta. Vectors beyond pi are taken for the same rotation the other way
// round, for J is singular at 2 pi.
//
// ADD [Geilinger et al. 2020] as [IBDEM25] 6.1 tells it: the same unknowns, and the equations of motion
// R(p, theta) = 0 in place of an energy, by Gauss-Newton: half the square of R is what decreases. R is the
// gradient of Phi over (p, theta), so that there are as many equations as unknowns and Gauss-Newton's
// direction is Newton's, with the exact derivative of R:
//   J' H J + d(J' g)/dtheta at fixed g   (its symmetric part; H along geodesics, g the gradient over turns)
#include "research/methods.h"

#include "math/quat.h"
#include "models/bonded/hessian/nullspace.h"

#include <string.h>

enum { W = SHERD_REF_MOTION };

static sherd_vec3 rotation_vector(const double *x)
{
    return quat_to_rotation_vector(quat(x[3], x[4], x[5], x[6]));
}

static void cross_matrix(sherd_vec3 v, double m[3][3])
{
    const double values[3][3] = {{0.0, -v.z, v.y}, {v.z, 0.0, -v.x}, {-v.y, v.x, 0.0}};
    memcpy(m, values, sizeof values);
}

static void left_jacobian(sherd_vec3 theta, double j[3][3])
{
    double a = vec3_length(theta), a2 = a * a, cross[3][3];
    // Series below 1e-3, where the first omitted terms are below 1e-14.
    double first = a > 1e-3 ? (1.0 - cos(a)) / a2 : 0.5 - a2 / 24.0;
    double second = a > 1e-3 ? (a - sin(a)) / (a2 * a) : 1.0 / 6.0 - a2 / 120.0;
    cross_matrix(theta, cross);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            double square = 0.0;
            for (int k = 0; k < 3; ++k)
                square += cross[r][k] * cross[k][c];
            j[r][c] = (r == c) + first * cross[r][c] + second * square;
        }
}

// h <- J' h for three rows, h <- h J for three columns, of a matrix with n columns.
static void multiply_rows(double j[3][3], int n, double *h)
{
    for (int c = 0; c < n; ++c) {
        double in[3] = {h[c], h[n + c], h[2 * n + c]};
        for (int r = 0; r < 3; ++r)
            h[r * n + c] = j[0][r] * in[0] + j[1][r] * in[1] + j[2][r] * in[2];
    }
}

static void multiply_columns(double j[3][3], int n, double *h)
{
    for (int r = 0; r < n; ++r) {
        double in[3] = {h[r * n], h[r * n + 1], h[r * n + 2]};
        for (int c = 0; c < 3; ++c)
            h[r * n + c] = in[0] * j[0][c] + in[1] * j[1][c] + in[2] * j[2][c];
    }
}

static void bond_blocks(void *context, size_t begin, size_t end)
{
    sherd_search *s = context;
    for (size_t b = begin; b < end; ++b) {
        const sherd_element_index ends[2] = {s->step->bonds[b].i, s->step->bonds[b].j};
        double *block = s->matrix.pairs + b * (2 * W) * (2 * W);
        for (int a = 0; a < 2; ++a) {
            double j[3][3];
            left_jacobian(rotation_vector(s->now.x + (size_t)ends[a] * SHERD_REF_END), j);
            multiply_rows(j, 2 * W, block + (a * W + 3) * 2 * W);
            multiply_columns(j, 2 * W, block + a * W + 3);
        }
    }
}

static void linearise(sherd_search *search)
{
    const sherd_ref_step *step = search->step;
    sherd_method_linearise_motion(search);
    sherd_parallel_for(&step->parallel, (size_t)step->bond_count, SHERD_REF_CHUNK, bond_blocks,
                       search);
    for (size_t k = 0; k < (size_t)step->count; ++k) {
        double j[3][3], *block = search->matrix.nodes + k * W * W;
        left_jacobian(rotation_vector(search->now.x + k * SHERD_REF_END), j);
        multiply_rows(j, 1, search->gradient + k * W + 3);
        multiply_rows(j, W, block + 3 * W);
        multiply_columns(j, W, block + 3);
    }
    sherd_search_clear_fixed(search, search->gradient);
}

static void move(sherd_search *search, double alpha)
{
    for (size_t k = 0; k < (size_t)search->step->count; ++k) {
        const double *x = search->now.x + k * SHERD_REF_END, *d = search->direction + k * W;
        double *to = search->trial.x + k * SHERD_REF_END;
        for (int c = 0; c < 3; ++c)
            to[c] = x[c] + alpha * d[c];
        sherd_vec3 change = vec3(d[3], d[4], d[5]);
        sherd_vec3 theta = vec3_add_scaled(rotation_vector(x), alpha, change);
        sherd_quat q = quat_normalize(quat_from_rotation_vector(theta));
        // Of the two quaternions of this rotation the one near the former: inertia tells them apart.
        double sign = quat_dot(q, quat(x[3], x[4], x[5], x[6])) < 0.0 ? -1.0 : 1.0;
        to[3] = sign * q.x, to[4] = sign * q.y, to[5] = sign * q.z, to[6] = sign * q.w;
    }
}

// ---------------------------------------------------------------- the equations of motion

// Of d(J' g)/dtheta at fixed g, J' g = g - b theta x g + c theta x (theta x g) with b = (1 - cos a)/a^2,
// c = (a - sin a)/a^3, the symmetric part.
static void add_curvature(sherd_vec3 theta, sherd_vec3 g, double *block)
{
    double a2 = vec3_dot(theta, theta), a = sqrt(a2);
    bool small = a < 1e-2; // omitted terms below a^4 / 6000
    double b = small ? 0.5 - a2 / 24.0 : (1.0 - cos(a)) / a2;
    double c = small ? 1.0 / 6.0 - a2 / 120.0 : (a - sin(a)) / (a2 * a);
    // b'/a, c'/a
    double db = small ? -1.0 / 12.0 + a2 / 180.0 : (a * sin(a) - 2.0 * (1.0 - cos(a))) / (a2 * a2);
    double dc = small ? -1.0 / 60.0 + a2 / 1260.0
                      : (a * (1.0 - cos(a)) - 3.0 * (a - sin(a))) / (a2 * a2 * a);
    sherd_vec3 across = vec3_cross(theta, g), twice = vec3_cross(theta, across);
    double d[3][3];
    for (int k = 0; k < 3; ++k) {
        sherd_vec3 e = vec3(k == 0, k == 1, k == 2);
        double along = vec3_dot(theta, e);
        sherd_vec3 v = vec3_scale(-b, vec3_cross(e, g));
        v = vec3_add_scaled(v, -db * along, across);
        v = vec3_add_scaled(v, c,
                            vec3_add(vec3_cross(e, across), vec3_cross(theta, vec3_cross(e, g))));
        v = vec3_add_scaled(v, dc * along, twice);
        d[0][k] = v.x, d[1][k] = v.y, d[2][k] = v.z;
    }
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k)
            block[(3 + r) * W + 3 + k] += 0.5 * (d[r][k] + d[k][r]);
}

static void linearise_equations(sherd_search *search)
{
    linearise(search);
    for (size_t k = 0; k < (size_t)search->step->count; ++k) {
        const double *x = search->now.x + k * SHERD_REF_END;
        double load[W];
        sherd_ref_restrict_gradient(x, search->full_gradient + k * SHERD_REF_END, load);
        add_curvature(rotation_vector(x), vec3(load[3], load[4], load[5]),
                      search->matrix.nodes + k * W * W);
    }
}

// Half the sum of the squares of R, without units.
static double squared_equations(const sherd_search *s, const double *x, const double *multiplier)
{
    (void)multiplier;
    sherd_ref_step_gradient(s->step, x, s->bond_gradients, s->full_gradient);
    double sum = 0.0;
    for (size_t k = 0; k < (size_t)s->step->count; ++k) {
        const double *at = x + k * SHERD_REF_END;
        double load[W], j[3][3];
        sherd_ref_restrict_gradient(at, s->full_gradient + k * SHERD_REF_END, load);
        left_jacobian(rotation_vector(at), j);
        multiply_rows(j, 1, load + 3);
        for (size_t c = 0; c < W; ++c) {
            double value = load[c] / (s->force * (c < 3 ? 1.0 : s->length));
            sum += s->fixed[k * W + c] ? 0.0 : value * value;
        }
    }
    return 0.5 * sum;
}

const sherd_search_method sherd_method_equations = {
    .name = "equations of motion (ADD)",
    .width = W,
    .pair_width = W,
    .merit = squared_equations,
    .linearise = linearise_equations,
    .move = move,
    .matrix = SHERD_MATRIX_INDEFINITE,
    .conditions = true,
};

const sherd_search_method sherd_method_rotation_vector = {
    .name = "rotation vector",
    .width = W,
    .pair_width = W,
    .merit = sherd_method_energy,
    .linearise = linearise,
    .move = move,
    .matrix = SHERD_MATRIX_GAUSS_NEWTON,
};
