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
//
// ADD with an integration of its own: Lagrange's equations M(theta) theta'' + C(theta, theta') = Q by backward
// differences, theta' = (theta - theta_n)/dt, theta'' = (theta' - theta'_n)/dt. For a ball, with w = J theta',
//   I J' (J theta'' + J. theta') + J' dV/d(turn) = 0,   J. theta' = d/dt J(theta) theta'
#include "research/methods.h"

#include "math/quat.h"
#include "models/bonded/hessian/nullspace.h"

#include <math.h>
#include <string.h>

enum { W = SHERD_REF_MOTION };

static const double PI = 3.14159265358979323846;

static sherd_vec3 rotation_vector(const double *x)
{
    return quat_to_rotation_vector(quat(x[3], x[4], x[5], x[6]));
}

// ADD counts differences from theta_n: of the two vectors of this rotation the nearer one.
static sherd_vec3 vector_near(const double *former, const double *x)
{
    sherd_vec3 theta = rotation_vector(x), from = rotation_vector(former);
    double a = vec3_length(theta);
    if (vec3_distance(theta, from) <= PI || a == 0.0) return theta;
    return vec3_scale(1.0 - 2.0 * PI / a, theta);
}

static sherd_vec3 unknown_vector(const sherd_search *s, size_t k, const double *x)
{
    if (s->method != &sherd_method_add) return rotation_vector(x);
    return vector_near(s->step->former + k * SHERD_REF_END, x);
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
            size_t k = (size_t)ends[a];
            left_jacobian(unknown_vector(s, k, s->now.x + k * SHERD_REF_END), j);
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
        sherd_vec3 theta = vec3_add_scaled(unknown_vector(search, k, x), alpha, change);
        sherd_quat q = quat_normalize(quat_from_rotation_vector(theta));
        // Of the two quaternions of this rotation the one near the former: inertia tells them apart.
        double sign = quat_dot(q, quat(x[3], x[4], x[5], x[6])) < 0.0 ? -1.0 : 1.0;
        to[3] = sign * q.x, to[4] = sign * q.y, to[5] = sign * q.z, to[6] = sign * q.w;
    }
}

// ---------------------------------------------------------------- the equations of motion

// J' g = g - b theta x g + c theta x (theta x g) with b = (1 - cos a)/a^2, c = (a - sin a)/a^3.
typedef struct coefficients {
    double b, c, db, dc; // db = b'/a, dc = c'/a
} coefficients;

static coefficients coefficients_at(sherd_vec3 theta)
{
    double a2 = vec3_dot(theta, theta), a = sqrt(a2);
    bool small = a < 1e-2; // omitted terms below a^4 / 6000
    return (coefficients){.b = small ? 0.5 - a2 / 24.0 : (1.0 - cos(a)) / a2,
                          .c = small ? 1.0 / 6.0 - a2 / 120.0 : (a - sin(a)) / (a2 * a),
                          .db = small ? -1.0 / 12.0 + a2 / 180.0
                                      : (a * sin(a) - 2.0 * (1.0 - cos(a))) / (a2 * a2),
                          .dc = small ? -1.0 / 60.0 + a2 / 1260.0
                                      : (a * (1.0 - cos(a)) - 3.0 * (a - sin(a))) / (a2 * a2 * a)};
}

static void add_symmetric(double d[3][3], double *block)
{
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k)
            block[(3 + r) * W + 3 + k] += 0.5 * (d[r][k] + d[k][r]);
}

// The symmetric part of d(J' g)/dtheta at fixed g.
static void add_curvature(sherd_vec3 theta, sherd_vec3 g, double *block)
{
    coefficients f = coefficients_at(theta);
    sherd_vec3 across = vec3_cross(theta, g), twice = vec3_cross(theta, across);
    double d[3][3];
    for (int k = 0; k < 3; ++k) {
        sherd_vec3 e = vec3(k == 0, k == 1, k == 2);
        double along = vec3_dot(theta, e);
        sherd_vec3 v = vec3_scale(-f.b, vec3_cross(e, g));
        v = vec3_add_scaled(v, -f.db * along, across);
        v = vec3_add_scaled(v, f.c,
                            vec3_add(vec3_cross(e, across), vec3_cross(theta, vec3_cross(e, g))));
        v = vec3_add_scaled(v, f.dc * along, twice);
        d[0][k] = v.x, d[1][k] = v.y, d[2][k] = v.z;
    }
    add_symmetric(d, block);
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

// ---------------------------------------------------------------- Lagrange's equations: ADD

static sherd_vec3 multiply(double j[3][3], sherd_vec3 v)
{
    return vec3(j[0][0] * v.x + j[0][1] * v.y + j[0][2] * v.z,
                j[1][0] * v.x + j[1][1] * v.y + j[1][2] * v.z,
                j[2][0] * v.x + j[2][1] * v.y + j[2][2] * v.z);
}

// The solution of J v = w by Cramer's rule.
static sherd_vec3 divide(double j[3][3], sherd_vec3 w)
{
    sherd_vec3 x = vec3(j[0][0], j[1][0], j[2][0]), y = vec3(j[0][1], j[1][1], j[2][1]);
    sherd_vec3 z = vec3(j[0][2], j[1][2], j[2][2]), yz = vec3_cross(y, z);
    double scale = 1.0 / vec3_dot(x, yz);
    return vec3(scale * vec3_dot(w, yz), scale * vec3_dot(w, vec3_cross(z, x)),
                scale * vec3_dot(w, vec3_cross(x, y)));
}

// theta_n and theta'_n of an element, and 1/dt.
typedef struct turning {
    sherd_vec3 from, rate;
    double per_second, moment;
} turning;

static turning turning_of(const sherd_ref_step *step, size_t k)
{
    const double *w = step->spin + 3 * k;
    double j[3][3];
    turning t = {.from = rotation_vector(step->former + k * SHERD_REF_END),
                 .per_second = sqrt(step->inertia),
                 .moment = sherd_ref_moment(step, (sherd_element_index)k)};
    left_jacobian(t.from, j);
    t.rate = divide(j, vec3(w[0], w[1], w[2]));
    return t;
}

// I (J theta'' + J. theta') about world axes [N m].
static sherd_vec3 inertial_torque(const turning *t, sherd_vec3 theta)
{
    coefficients f = coefficients_at(theta);
    sherd_vec3 rate = vec3_scale(t->per_second, vec3_sub(theta, t->from));
    sherd_vec3 change = vec3_scale(t->per_second, vec3_sub(rate, t->rate));
    sherd_vec3 across = vec3_cross(theta, rate);
    double along = vec3_dot(theta, rate), j[3][3];
    left_jacobian(theta, j);
    sherd_vec3 sum = multiply(j, change);
    sum = vec3_add_scaled(sum, f.db * along, across);
    sum = vec3_add_scaled(sum, f.dc * along, vec3_cross(theta, across));
    sum = vec3_add_scaled(sum, f.c, vec3_cross(rate, across));
    return vec3_scale(t->moment, sum);
}

static sherd_vec3 transposed(double j[3][3], sherd_vec3 v)
{
    double g[3] = {v.x, v.y, v.z};
    multiply_rows(j, 1, g);
    return vec3(g[0], g[1], g[2]);
}

static sherd_vec3 generalised_inertia(const turning *t, sherd_vec3 theta)
{
    double j[3][3];
    left_jacobian(theta, j);
    return transposed(j, inertial_torque(t, theta));
}

// Its derivative, of which only the symmetric part counts for the solver: fourth-order differences.
static void add_inertia(const turning *t, sherd_vec3 theta, double *block)
{
    static const double WEIGHTS[4] = {1.0, -8.0, 8.0, -1.0}, AT[4] = {-2.0, -1.0, 1.0, 2.0};
    const double h = 1e-3;
    double d[3][3] = {{0.0}};
    for (int k = 0; k < 3; ++k)
        for (int n = 0; n < 4; ++n) {
            sherd_vec3 e = vec3(k == 0, k == 1, k == 2);
            sherd_vec3 g = generalised_inertia(t, vec3_add_scaled(theta, AT[n] * h, e));
            double weight = WEIGHTS[n] / (12.0 * h);
            d[0][k] += weight * g.x, d[1][k] += weight * g.y, d[2][k] += weight * g.z;
        }
    add_symmetric(d, block);
}

// Forces, and torques of bonds about world axes: what (6) has without its inertia of turning.
static void loads_of(const sherd_ref_step *step, size_t k, const double *x, const double *gradient,
                     double load[W])
{
    const double *target = step->target + k * SHERD_REF_END;
    double inertia[SHERD_REF_END] = {0.0}, own[W];
    double moment = 4.0 * step->inertia * sherd_ref_moment(step, (sherd_element_index)k);
    for (int c = 3; c < SHERD_REF_END; ++c)
        inertia[c] = moment * (x[c] - target[c]);
    sherd_ref_restrict_gradient(x, gradient, load);
    sherd_ref_restrict_gradient(x, inertia, own);
    for (int c = 3; c < W; ++c)
        load[c] -= own[c];
}

static void linearise_lagrange(sherd_search *search)
{
    const sherd_ref_step *step = search->step;
    sherd_method_linearise_motion(search);
    sherd_parallel_for(&step->parallel, (size_t)step->bond_count, SHERD_REF_CHUNK, bond_blocks,
                       search);
    for (size_t k = 0; k < (size_t)step->count; ++k) {
        const double *x = search->now.x + k * SHERD_REF_END;
        double *g = search->gradient + k * W, *block = search->matrix.nodes + k * W * W;
        sherd_vec3 theta = unknown_vector(search, k, x);
        turning t = turning_of(step, k);
        double j[3][3];
        loads_of(step, k, x, search->full_gradient + k * SHERD_REF_END, g);
        sherd_vec3 torque = vec3(g[3], g[4], g[5]);
        left_jacobian(theta, j);
        multiply_rows(j, 1, g + 3);
        sherd_vec3 own = generalised_inertia(&t, theta);
        g[3] += own.x, g[4] += own.y, g[5] += own.z;
        for (int r = 3; r < W; ++r)
            for (int c = 3; c < W; ++c)
                block[r * W + c] = 0.0;
        add_inertia(&t, theta, block);
        add_curvature(theta, torque, block);
    }
    sherd_search_clear_fixed(search, search->gradient);
}

// Sums squares of forces and torques: of unknowns (J' torque) over bond lengths, or of world axes over radii.
static double sum_of_squares(const sherd_search *s, const double *x, bool of_unknowns)
{
    const sherd_ref_step *step = s->step;
    double sum = 0.0;
    sherd_ref_step_gradient(step, x, s->bond_gradients, s->full_gradient);
    for (size_t k = 0; k < (size_t)step->count; ++k) {
        const double *at = x + k * SHERD_REF_END;
        sherd_vec3 theta = unknown_vector(s, k, at);
        turning t = turning_of(step, k);
        double load[W], j[3][3];
        loads_of(step, k, at, s->full_gradient + k * SHERD_REF_END, load);
        sherd_vec3 own = inertial_torque(&t, theta);
        load[3] += own.x, load[4] += own.y, load[5] += own.z;
        left_jacobian(theta, j);
        if (of_unknowns) multiply_rows(j, 1, load + 3);
        double length = of_unknowns ? s->length : step->radius[k];
        for (size_t c = 0; c < W; ++c) {
            double value = load[c] / (s->force * (c < 3 ? 1.0 : length));
            sum += s->fixed[k * W + c] ? 0.0 : value * value;
        }
    }
    return sum;
}

static double squared_lagrange(const sherd_search *s, const double *x, const double *multiplier)
{
    (void)multiplier;
    return 0.5 * sum_of_squares(s, x, true);
}

static double lagrange_residual(sherd_search *s)
{
    return sqrt(sum_of_squares(s, s->now.x, false) / s->step->count);
}

// w = J(theta) (theta - theta_n) / dt
static void spin_after(const sherd_ref_step *step, size_t k, const double *x, double w[3])
{
    const double *former = step->former + k * SHERD_REF_END;
    sherd_vec3 theta = vector_near(former, x), moved = vec3_sub(theta, rotation_vector(former));
    double j[3][3];
    left_jacobian(theta, j);
    sherd_vec3 spin = vec3_scale(sqrt(step->inertia), multiply(j, moved));
    w[0] = spin.x, w[1] = spin.y, w[2] = spin.z;
}

const sherd_search_method sherd_method_add = {
    .name = "Lagrange's equations (ADD)",
    .width = W,
    .pair_width = W,
    .merit = squared_lagrange,
    .linearise = linearise_lagrange,
    .move = move,
    .residual = lagrange_residual,
    .spin = spin_after,
    .matrix = SHERD_MATRIX_INDEFINITE,
    .conditions = true,
};
