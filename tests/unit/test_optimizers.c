// The compared minimisers: that they find the same state, how fast, and the parts they are made of.
#include "base/random.h"
#include "math/quat.h"
#include "research/block_matrix.h"

#include "research/optimizers.h"
#include "research/search.h"
#include <sherd/packing.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- linear solvers

enum { CHAIN = 40, WIDTH = 6, UNKNOWNS = CHAIN * WIDTH };

typedef struct chain {
    sherd_ref_bond bonds[2 * CHAIN];
    double nodes[CHAIN * WIDTH * WIDTH], pairs[2 * CHAIN * 4 * WIDTH * WIDTH];
    bool fixed[UNKNOWNS];
    sherd_element_index order[CHAIN];
    sherd_block_matrix matrix;
} chain;

// Elements joined to the next and the next but one, each pair by a random semi-definite block of rank
// WIDTH; the last element fixed. Nodes have `diagonal` on the diagonal.
static void make_chain(chain *c, double diagonal)
{
    memset(c, 0, sizeof *c);
    uint64_t counter = 0;
    int64_t m = 0;
    for (int k = 0; k < CHAIN; ++k) {
        c->order[k] = CHAIN - 1 - k;
        for (int r = 0; r < WIDTH; ++r)
            c->nodes[(k * WIDTH + r) * WIDTH + r] = diagonal;
        for (int far = 1; far <= 2 && k + far < CHAIN; ++far)
            c->bonds[m++] = (sherd_ref_bond){.i = k, .j = k + far};
    }
    for (int64_t b = 0; b < m; ++b) {
        double rows[WIDTH][2 * WIDTH], *block = c->pairs + b * 4 * WIDTH * WIDTH;
        for (int r = 0; r < WIDTH; ++r)
            for (int k = 0; k < 2 * WIDTH; ++k)
                rows[r][k] = 2.0 * sherd_random_uniform(3, 4, counter++) - 1.0;
        for (int r = 0; r < 2 * WIDTH; ++r)
            for (int k = 0; k < 2 * WIDTH; ++k)
                for (int s = 0; s < WIDTH; ++s)
                    block[r * 2 * WIDTH + k] += rows[s][r] * rows[s][k];
    }
    for (int r = 0; r < WIDTH; ++r)
        c->fixed[(CHAIN - 1) * WIDTH + r] = true;
    c->matrix =
        (sherd_block_matrix){CHAIN, m, c->bonds, WIDTH, WIDTH, c->nodes, c->pairs, c->fixed};
}

static void random_load(double b[UNKNOWNS])
{
    for (int k = 0; k < UNKNOWNS; ++k)
        b[k] = 2.0 * sherd_random_uniform(5, 6, (uint64_t)k) - 1.0;
}

// Of free unknowns; fixed ones of x must be 0.
static double largest_residual(const chain *c, const double *b, const double *x)
{
    double ax[UNKNOWNS], largest = 0.0;
    sherd_block_matrix_apply(&c->matrix, x, ax);
    for (int k = 0; k < UNKNOWNS; ++k)
        if (!c->fixed[k]) largest = fmax(largest, fabs(ax[k] - b[k]));
    return largest;
}

// The condition is about 1e3: rounding times that.
Test(block_matrix, both_solvers_solve_a_definite_system)
{
    static chain c;
    sherd_error error;
    make_chain(&c, 0.1);
    double b[UNKNOWNS], x[UNKNOWNS];
    random_load(b);
    for (int k = 0; k < UNKNOWNS; ++k)
        if (c.fixed[k]) b[k] = 0.0;
    sherd_envelope *envelope = sherd_envelope_create(&c.matrix, c.order, &error);
    cr_assert(envelope != NULL);
    cr_assert(sherd_envelope_factor(envelope, &c.matrix, &error) == SHERD_OK);
    cr_assert(eq(i64, sherd_envelope_negative(envelope), 0));
    sherd_envelope_solve(envelope, b, x);
    cr_assert(largest_residual(&c, b, x) < 1e-11);
    sherd_envelope_destroy(envelope);

    bool definite;
    memset(x, 0, sizeof x);
    cr_assert(sherd_block_matrix_solve(&c.matrix, b, 1e-10, 2000, x, &definite, &error) ==
              SHERD_OK);
    cr_assert(definite);
    cr_assert(largest_residual(&c, b, x) < 1e-8);
    for (int k = 0; k < UNKNOWNS; ++k)
        if (c.fixed[k]) cr_assert(eq(dbl, x[k], 0.0));
}

Test(block_matrix, both_solvers_notice_indefinite_systems)
{
    static chain c;
    sherd_error error;
    make_chain(&c, -0.5);
    double b[UNKNOWNS], x[UNKNOWNS];
    random_load(b);
    sherd_envelope *envelope = sherd_envelope_create(&c.matrix, c.order, &error);
    cr_assert(sherd_envelope_factor(envelope, &c.matrix, &error) == SHERD_OK);
    cr_assert(sherd_envelope_negative(envelope) > 0);
    sherd_envelope_destroy(envelope);
    bool definite = true;
    cr_assert(sherd_block_matrix_solve(&c.matrix, b, 1e-10, 2000, x, &definite, &error) ==
              SHERD_OK);
    cr_assert(not(definite));
}

// ---------------------------------------------------------------- beams

static const double RADIUS = 1e-3;
enum { HELD_ALL = SHERD_HOLD_X | SHERD_HOLD_Y | SHERD_HOLD_Z | SHERD_HOLD_ROTATION };

typedef enum load { TWIST, BEND, PRESS, FREE } load;

typedef struct beam {
    sherd_packing *packing;
    uint8_t *held;
    sherd_optimizer *optimizer;
    double period;
} beam;

static uint8_t hold(const sherd_packing *p, int32_t k, double half, load how)
{
    bool end = fabs(p->x[k]) > half - 1.5 * RADIUS;
    if (how == TWIST || how == BEND) return end ? HELD_ALL : 0;
    if (how == PRESS && end && p->z[k] < 0.0) return SHERD_HOLD_Z;
    if (how == PRESS && fabs(p->x[k]) < RADIUS && p->z[k] > 0.5 * RADIUS) return SHERD_HOLD_Z;
    return 0;
}

static beam make_beam(double length, double width, double youngs_modulus, load how, int threads)
{
    sherd_error error;
    beam b = {0};
    sherd_shape *shape = sherd_shape_box((sherd_vec3){length, width, width}, &error);
    sherd_packing_def packing = sherd_packing_def_default();
    packing.radius = RADIUS;
    packing.orientation = SHERD_PACKING_ORIENT_AXES;
    b.packing = sherd_packing_create(shape, &packing, &error);
    sherd_shape_destroy(shape);
    cr_assert(b.packing != NULL);
    b.held = calloc((size_t)b.packing->count, 1);
    double half = 0.0;
    for (int32_t k = 0; k < b.packing->count; ++k)
        half = fmax(half, fabs(b.packing->x[k]));
    for (int32_t k = 0; k < b.packing->count; ++k)
        b.held[k] = hold(b.packing, k, half, how);
    sherd_optimizer_def def = sherd_optimizer_def_default();
    def.count = b.packing->count;
    def.x = b.packing->x, def.y = b.packing->y, def.z = b.packing->z;
    def.radius = b.packing->radius;
    def.held = b.held;
    def.material.youngs_modulus = youngs_modulus;
    def.material.shear_modulus = 0.4 * youngs_modulus;
    def.threads = threads;
    b.optimizer = sherd_optimizer_create(&def, &error);
    cr_assert(b.optimizer != NULL);
    b.period = sherd_optimizer_period(b.optimizer);
    return b;
}

static void free_beam(beam *b)
{
    sherd_optimizer_destroy(b->optimizer);
    sherd_packing_destroy(b->packing);
    free(b->held);
}

// Held ends are to turn by half the angle each within dt, about x or y.
static void turn_ends(beam *b, double angle, bool twist, double dt)
{
    for (int32_t k = 0; k < b->packing->count; ++k) {
        if (b->held[k] == 0) continue;
        sherd_vec3 p = vec3(b->packing->x[k], b->packing->y[k], b->packing->z[k]);
        sherd_vec3 centre = vec3(p.x < 0.0 ? -0.009 : 0.009, 0.0, 0.0);
        double half = p.x < 0.0 ? -0.5 * angle : 0.5 * angle;
        sherd_vec3 turn = twist ? vec3(half, 0.0, 0.0) : vec3(0.0, half, 0.0);
        sherd_vec3 arm = vec3_sub(p, centre);
        sherd_vec3 moved = vec3_sub(quat_rotate(quat_from_rotation_vector(turn), arm), arm);
        sherd_optimizer_set_velocity(b->optimizer, k, vec3_scale(1.0 / dt, moved),
                                     vec3_scale(1.0 / dt, turn));
    }
}

static sherd_optimizer_report solve(beam *b, sherd_optimizer_method method, double dt)
{
    sherd_error error;
    sherd_optimizer_report report;
    cr_assert(sherd_optimizer_solve(b->optimizer, method, dt, &report, &error) == SHERD_OK,
              "%s: %s", sherd_optimizer_method_name(method), error.what);
    return report;
}

static double last_residual(const sherd_optimizer_report *r)
{
    return r->history[r->iterations].residual;
}

// Tolerance 1e-9 of E S over the softest mode's stiffness, which is inertia at 10 T or bending of some
// ten elements: 1e-5 radii is generous, and a hundredth of what one more digit would need.
Test(optimizers, all_methods_find_the_same_state)
{
    beam b = make_beam(0.02, 0.006, 1e7, TWIST, 2);
    double dt = 100.0 * b.period;
    turn_ends(&b, 1.0, true, dt);
    cr_assert(solve(&b, SHERD_OPTIMIZER_MANIFOLD_NEWTON, dt).converged);
    sherd_pose *found = calloc((size_t)b.packing->count, sizeof *found);
    for (int32_t k = 0; k < b.packing->count; ++k)
        found[k] = sherd_optimizer_solution(b.optimizer, k);
    for (int m = 1; m < SHERD_OPTIMIZER_SAME_STEP_COUNT; ++m) {
        sherd_optimizer_report report = solve(&b, (sherd_optimizer_method)m, dt);
        cr_assert(report.converged, "%s %s", sherd_optimizer_method_name(m), report.ended);
        cr_assert(last_residual(&report) < 1e-9);
        for (int32_t k = 0; k < b.packing->count; ++k) {
            sherd_pose pose = sherd_optimizer_solution(b.optimizer, k);
            cr_assert(vec3_distance(pose.position, found[k].position) < 1e-5 * RADIUS);
            sherd_quat turn = quat_multiply(pose.rotation, quat_conjugate(found[k].rotation));
            cr_assert(vec3_length(quat_to_rotation_vector(turn)) < 1e-5);
            cr_assert(epsilon_eq(dbl, quat_dot(pose.rotation, pose.rotation), 1.0, 1e-14));
        }
    }
    free(found);
    free_beam(&b);
}

// The order that docs/notebook/optimizers.md reports: nothing takes fewer iterations than manifold Newton, which
// converges quadratically, whatever the step; multipliers come close, descent is far behind.
static void check_order(load how, double angle)
{
    const double periods[] = {1.0, 10.0, 100.0, 1000.0};
    beam b = make_beam(0.02, 0.006, 1e7, how, 2);
    for (int t = 0; t < 4; ++t) {
        double dt = periods[t] * b.period;
        turn_ends(&b, angle, how == TWIST, dt);
        sherd_optimizer_report newton = solve(&b, SHERD_OPTIMIZER_MANIFOLD_NEWTON, dt);
        cr_assert(newton.converged);
        int iterations = newton.iterations;
        cr_assert(iterations <= 8);
        for (int m = 1; m < SHERD_OPTIMIZER_SAME_STEP_COUNT; ++m) {
            sherd_optimizer_report other = solve(&b, (sherd_optimizer_method)m, dt);
            cr_assert(other.iterations >= iterations, "%s at %g T: %d against %d",
                      sherd_optimizer_method_name(m), periods[t], other.iterations, iterations);
        }
    }
    free_beam(&b);
}

Test(optimizers, manifold_newton_needs_the_fewest_iterations_in_twisting)
{
    check_order(TWIST, 1.5);
}

Test(optimizers, manifold_newton_needs_the_fewest_iterations_in_bending)
{
    check_order(BEND, 1.0);
}

// [IBDEM25] Fig. 6: three-point bending at constant speed.
Test(optimizers, no_more_iterations_than_rotation_vectors_at_any_step_and_modulus)
{
    const double periods[] = {1.0, 10.0, 100.0, 1000.0}, moduli[] = {1e6, 1e7, 1e8, 1e9};
    int fewer = 0;
    for (int e = 0; e < 4; ++e)
        for (int t = 0; t < 4; ++t) {
            int count[2] = {0};
            for (int m = 0; m < 2; ++m) {
                beam b = make_beam(0.03, 0.006, moduli[e], PRESS, 2);
                for (int32_t k = 0; k < b.packing->count; ++k)
                    if (b.held[k] != 0 && fabs(b.packing->x[k]) < 2.0 * RADIUS)
                        sherd_optimizer_set_velocity(b.optimizer, k, vec3(0.0, 0.0, -0.05),
                                                     vec3(0.0, 0.0, 0.0));
                for (int s = 0; s < 3; ++s) {
                    sherd_optimizer_report r = solve(&b,
                                                     m == 0 ? SHERD_OPTIMIZER_MANIFOLD_NEWTON
                                                            : SHERD_OPTIMIZER_ROTATION_VECTOR,
                                                     periods[t] * b.period);
                    cr_assert(r.converged, "E %g, %g T: %s", moduli[e], periods[t], r.ended);
                    count[m] += r.iterations;
                    sherd_optimizer_advance(b.optimizer);
                }
                free_beam(&b);
            }
            cr_assert(count[0] <= count[1], "E %g, %g T: %d against %d", moduli[e], periods[t],
                      count[0], count[1]);
            fewer += count[0] < count[1];
        }
    cr_assert(fewer >= 4, "they differ somewhere");
}

// Quadratic: once below 1e-3, every iteration doubles the digits but two.
static void check_quadratic(sherd_optimizer_method method)
{
    beam b = make_beam(0.02, 0.006, 1e7, BEND, 2);
    double dt = 100.0 * b.period;
    turn_ends(&b, 1.0, false, dt);
    sherd_optimizer_report r = solve(&b, method, dt);
    int seen = 0;
    for (int k = 0; k + 1 <= r.iterations; ++k) {
        double now = r.history[k].residual, next = r.history[k + 1].residual;
        if (now > 1e-3 || now < 1e-8) continue; // rounding is 1e-15
        cr_assert(log10(next) < 2.0 * log10(now) + 2.0, "%g then %g", now, next);
        ++seen;
    }
    cr_assert(seen >= 1);
    free_beam(&b);
}

Test(optimizers, manifold_newton_converges_quadratically)
{
    check_quadratic(SHERD_OPTIMIZER_MANIFOLD_NEWTON);
    check_quadratic(SHERD_OPTIMIZER_EQUATIONS);
}

// Columns of the matrix at x, and of the gradient's differences.
static void find_columns(sherd_search *s, const double now[14], double products[12][12],
                         double slopes[12][12])
{
    const sherd_search_method *method = s->method;
    const double h = 1e-3;
    for (int column = 0; column < 12; ++column) {
        double unit[12] = {0.0}, *product = products[column], *slope = slopes[column];
        static const double WEIGHTS[4] = {1.0, -8.0, 8.0, -1.0}, AT[4] = {-2.0, -1.0, 1.0, 2.0};
        unit[column] = 1.0;
        memcpy(s->now.x, now, 14 * sizeof now[0]);
        s->hessian = SHERD_REF_FULL;
        method->linearise(s);
        sherd_block_matrix_apply(&s->matrix, unit, product);
        for (int k = 0; k < 4; ++k) {
            memcpy(s->now.x, now, 14 * sizeof now[0]);
            memcpy(s->direction, unit, sizeof unit);
            method->move(s, AT[k] * h);
            memcpy(s->now.x, s->trial.x, 14 * sizeof now[0]);
            method->linearise(s);
            for (int r = 0; r < 12; ++r)
                slope[r] += WEIGHTS[k] * s->gradient[r] / (12.0 * h);
        }
    }
}

// A bond that is far from rest, whose elements are far from where they would move and turned by 2 rad: the matrix
// is the derivative of the equations over total rotation vectors, `symmetric`: the mean of this and its transpose.
// Fourth-order differences with h = 1e-3 err by h^4, as shares of the largest entry.
static void check_matrix(sherd_optimizer_method which, bool symmetric)
{
    const double mass[2] = {1.0, 1.3}, radius[2] = {0.5, 0.6};
    const sherd_ref_bond bond = {.i = 0,
                                 .j = 1,
                                 .d0 = {1.0, 0.0, 0.0},
                                 .l0 = 1.0,
                                 .stretch = 1.3,
                                 .shear = 0.6,
                                 .bend = 0.4,
                                 .twist = 0.25};
    const sherd_vec3 turns[4] = {
        {1.4, -1.1, 0.9}, {1.1, -1.3, 1.2}, {0.9, -0.8, 0.7}, {1.5, -0.9, 0.4}};
    const double spin[6] = {0.4, -0.3, 0.6, -0.5, 0.2, 0.1};
    double target[14] = {0.0}, now[14] = {0.1, -0.2, 0.3};
    for (int k = 0; k < 4; ++k) {
        sherd_quat q = quat_from_rotation_vector(turns[k]);
        double *to = (k < 2 ? target : now) + 7 * (k % 2);
        if (k % 2 == 1) to[0] = 0.7, to[1] = 0.6, to[2] = -0.4;
        to[3] = q.x, to[4] = q.y, to[5] = q.z, to[6] = q.w;
    }
    const uint8_t held[2] = {0, 0};
    const sherd_element_index order[2] = {0, 1};
    sherd_ref_step step = {.count = 2,
                           .mass = mass,
                           .radius = radius,
                           .bond_count = 1,
                           .bonds = &bond,
                           .inertia = 0.7,
                           .target = target,
                           .former = target,
                           .spin = spin};
    sherd_search s;
    sherd_error error;
    const sherd_search_method *method = sherd_search_methods[which];
    cr_assert(sherd_search_begin(&s, &step, method, held, order, 0.0, &error) == SHERD_OK);
    double worst = 0.0, largest = 0.0, products[12][12], slopes[12][12] = {{0.0}};
    find_columns(&s, now, products, slopes);
    for (int c = 0; c < 12; ++c)
        for (int r = 0; r < 12; ++r) {
            double slope = symmetric ? 0.5 * (slopes[c][r] + slopes[r][c]) : slopes[c][r];
            worst = fmax(worst, fabs(slope - products[c][r]));
            largest = fmax(largest, fabs(slopes[c][r]));
        }
    cr_assert(worst < 1e-9 * largest, "%g of %g", worst, largest);
    sherd_search_end(&s);
}

Test(optimizers, matrices_of_equations_are_their_derivatives)
{
    check_matrix(SHERD_OPTIMIZER_EQUATIONS, false);
    check_matrix(SHERD_OPTIMIZER_ADD, true); // Coriolis terms have no symmetric derivative
}

// Turns the whole beam and how its ends move.
static void turn_all(beam *b, sherd_quat common)
{
    for (int32_t k = 0; k < b->packing->count; ++k) {
        sherd_pose pose = sherd_optimizer_pose(b->optimizer, k);
        sherd_pose place = {quat_rotate(common, pose.position),
                            quat_multiply(common, pose.rotation)};
        sherd_optimizer_set_pose(b->optimizer, k, place);
        sherd_vec3 v, w;
        sherd_optimizer_velocity(b->optimizer, k, &v, &w);
        sherd_optimizer_set_velocity(b->optimizer, k, quat_rotate(common, v),
                                     quat_rotate(common, w));
    }
}

// Where the body is turned must not matter, also near rotation vectors of length pi, where a quaternion
// and its opposite are easily taken for each other.
Test(optimizers, a_turned_body_has_the_same_solution)
{
    const sherd_quat common = quat_from_rotation_vector(vec3(1.7, -1.7, 1.9)); // 3.06 rad
    for (int m = 0; m < SHERD_OPTIMIZER_SAME_STEP_COUNT; ++m) {
        double energy[2];
        for (int turned = 0; turned < 2; ++turned) {
            beam b = make_beam(0.02, 0.006, 1e7, TWIST, 1);
            double dt = 100.0 * b.period;
            turn_ends(&b, 1.0, true, dt);
            if (turned) turn_all(&b, common);
            sherd_optimizer_report r = solve(&b, (sherd_optimizer_method)m, dt);
            cr_assert(r.converged, "%s", sherd_optimizer_method_name((sherd_optimizer_method)m));
            energy[turned] = r.history[r.iterations].energy;
            free_beam(&b);
        }
        // Second order in what the tolerance leaves.
        cr_assert(epsilon_eq(dbl, energy[0], energy[1], 1e-9 * energy[0]), "%s",
                  sherd_optimizer_method_name((sherd_optimizer_method)m));
    }
}

Test(optimizers, results_do_not_depend_on_threads)
{
    for (int m = 0; m < SHERD_OPTIMIZER_SAME_STEP_COUNT; ++m) {
        double energy[2], residual[2];
        for (int k = 0; k < 2; ++k) {
            beam b = make_beam(0.016, 0.004, 1e7, BEND, k == 0 ? 1 : 3);
            turn_ends(&b, 0.6, false, 30.0 * b.period);
            sherd_optimizer_report r = solve(&b, (sherd_optimizer_method)m, 30.0 * b.period);
            energy[k] = r.history[r.iterations].energy;
            residual[k] = last_residual(&r);
            free_beam(&b);
        }
        cr_assert(eq(dbl, energy[0], energy[1]));
        cr_assert(eq(dbl, residual[0], residual[1]));
    }
}

// Only |q| = 1 is given up on the way, and only by methods that treat it as a constraint.
Test(optimizers, quaternions_leave_the_sphere_only_where_they_may)
{
    beam b = make_beam(0.02, 0.006, 1e7, TWIST, 2);
    double dt = 100.0 * b.period;
    turn_ends(&b, 1.5, true, dt);
    for (int m = 0; m < SHERD_OPTIMIZER_SAME_STEP_COUNT; ++m) {
        sherd_optimizer_report r = solve(&b, (sherd_optimizer_method)m, dt);
        bool may = m == SHERD_OPTIMIZER_PENALTY || m == SHERD_OPTIMIZER_MULTIPLIERS ||
                   m == SHERD_OPTIMIZER_AUGMENTED;
        double worst = 0.0;
        for (int k = 0; k <= r.iterations; ++k)
            worst = fmax(worst, r.history[k].violation);
        cr_assert(may ? worst > 1e-6 : worst < 1e-14);
        cr_assert(r.history[r.iterations].violation < 1e-6);
    }
    free_beam(&b);
}

// ---------------------------------------------------------------- motion

// Free flight and spin of single elements are exact, whatever the step: the predictor is the solution.
Test(optimizers, free_motion_needs_no_iteration)
{
    const double x[] = {0.0, 1.0}, y[] = {0.0, 0.0}, z[] = {0.0, 0.0}, radius[] = {1e-3, 2e-3};
    sherd_error error;
    sherd_optimizer_def def = sherd_optimizer_def_default();
    def.count = 2;
    def.x = x, def.y = y, def.z = z, def.radius = radius;
    sherd_optimizer *o = sherd_optimizer_create(&def, &error);
    cr_assert(o != NULL);
    cr_assert(eq(i64, sherd_optimizer_bond_count(o), 0));
    sherd_vec3 v = vec3(1.0, 2.0, -0.5), w = vec3(30.0, -40.0, 10.0);
    sherd_optimizer_set_velocity(o, 1, v, w);
    for (int s = 0; s < 10; ++s) {
        sherd_optimizer_report r;
        cr_assert(sherd_optimizer_solve(o, SHERD_OPTIMIZER_MANIFOLD_NEWTON, 0.01, &r, &error) ==
                  SHERD_OK);
        cr_assert(eq(int, r.iterations, 0));
        sherd_optimizer_advance(o);
    }
    sherd_pose pose = sherd_optimizer_pose(o, 1);
    cr_assert(vec3_distance(pose.position, vec3_add_scaled(vec3(1, 0, 0), 0.1, v)) < 1e-14);
    sherd_quat expected = quat_from_rotation_vector(vec3_scale(0.1, w));
    cr_assert(epsilon_eq(dbl, fabs(quat_dot(pose.rotation, expected)), 1.0, 1e-14));
    sherd_optimizer_destroy(o);
}

// Inner forces don't move the centre of mass: every step's unbalanced sum is below the tolerance, times
// n E S dt^2 / (n m), here 1e-9 * 30 N * (1e-4 s)^2 / 1e-5 kg = 3e-11 m.
Test(optimizers, a_free_body_keeps_its_momentum)
{
    beam b = make_beam(0.016, 0.004, 1e7, FREE, 2);
    double dt = 10.0 * b.period;
    int32_t n = b.packing->count;
    sherd_vec3 sum = vec3(0, 0, 0), start = vec3(0, 0, 0), end = vec3(0, 0, 0);
    for (int32_t k = 0; k < n; ++k) {
        double x = b.packing->x[k];
        sherd_vec3 v = vec3(0.3, 100.0 * x, 0.2 * sin(1e3 * x));
        sherd_optimizer_set_velocity(b.optimizer, k, v, vec3(0.0, 0.0, 50.0));
        sum = vec3_add_scaled(sum, 1.0 / n, v);
        start = vec3_add_scaled(start, 1.0 / n, sherd_optimizer_pose(b.optimizer, k).position);
    }
    for (int s = 0; s < 5; ++s) {
        cr_assert(solve(&b, SHERD_OPTIMIZER_MANIFOLD_NEWTON, dt).converged);
        sherd_optimizer_advance(b.optimizer);
    }
    for (int32_t k = 0; k < n; ++k)
        end = vec3_add_scaled(end, 1.0 / n, sherd_optimizer_pose(b.optimizer, k).position);
    cr_assert(vec3_distance(end, vec3_add_scaled(start, 5.0 * dt, sum)) < 1e-9);
    free_beam(&b);
}

// One element dropped onto the floor: m (z - z^)/dt^2 + m g = kc (r - z) in closed form.
Test(optimizers, gravity_and_floor_balance_inertia)
{
    const double x = 0.0, y = 0.0, z = 1.5e-3, radius = 1e-3, dt = 1e-2, g = 9.81;
    sherd_error error;
    sherd_optimizer_def def = sherd_optimizer_def_default();
    def.count = 1;
    def.x = &x, def.y = &y, def.z = &z, def.radius = &radius;
    def.gravity = vec3(0.0, 0.0, -g);
    def.floor_height = 0.0;
    def.floor_stiffness = 50.0;
    def.tolerance = 1e-15; // without bonds loads are in newtons
    sherd_optimizer *o = sherd_optimizer_create(&def, &error);
    double mass = 4.0 / 3.0 * M_PI * pow(radius, 3) * def.material.density;
    sherd_optimizer_set_velocity(o, 0, vec3(0.1, 0.0, -0.5), vec3(0, 0, 0));
    for (int m = 0; m < SHERD_OPTIMIZER_SAME_STEP_COUNT; ++m) {
        sherd_optimizer_report r;
        cr_assert(sherd_optimizer_solve(o, (sherd_optimizer_method)m, dt, &r, &error) == SHERD_OK);
        double free_z = z - 0.5 * dt, c = mass / (dt * dt);
        double expected = (c * free_z - mass * g + 50.0 * radius) / (c + 50.0);
        sherd_pose pose = sherd_optimizer_solution(o, 0);
        cr_assert(epsilon_eq(dbl, pose.position.z, expected, 1e-9), "%s",
                  sherd_optimizer_method_name(m));
        cr_assert(epsilon_eq(dbl, pose.position.x, 0.1 * dt, 1e-12));
    }
    sherd_optimizer_destroy(o);
}

// ---------------------------------------------------------------- ADD's integration

// How far a ball that was turned before is off exp(t w) q after `time` of free spin [rad].
static double spin_error(sherd_vec3 turned, sherd_vec3 w, double time, int steps)
{
    double zero = 0.0, radius = 1e-3;
    sherd_error error;
    sherd_optimizer_def def = sherd_optimizer_def_default();
    def.count = 1, def.x = def.y = def.z = &zero, def.radius = &radius;
    def.tolerance = 1e-15; // without bonds loads are in newtons
    sherd_optimizer *o = sherd_optimizer_create(&def, &error);
    sherd_quat from = quat_from_rotation_vector(turned);
    sherd_optimizer_set_pose(o, 0, (sherd_pose){vec3(0, 0, 0), from});
    sherd_optimizer_set_velocity(o, 0, vec3(0, 0, 0), w);
    for (int k = 0; k < steps; ++k) {
        sherd_optimizer_report r;
        cr_assert(sherd_optimizer_solve(o, SHERD_OPTIMIZER_ADD, time / steps, &r, &error) ==
                  SHERD_OK);
        cr_assert(r.converged, "%s", r.ended);
        sherd_optimizer_advance(o);
    }
    sherd_quat exact = quat_multiply(quat_from_rotation_vector(vec3_scale(time, w)), from);
    sherd_quat off = quat_multiply(sherd_optimizer_pose(o, 0).rotation, quat_conjugate(exact));
    sherd_optimizer_destroy(o);
    return vec3_length(quat_to_rotation_vector(off));
}

// Rotation vectors are no vectors: free spin about the ball's own rotation vector is exact, as by (6), about others
// backward differences are of first order, through the change of vectors beyond pi as well (2.4 + 1.9 rad).
Test(optimizers, add_spins_with_first_order)
{
    const sherd_vec3 w = {3.0, 2.0, -1.0}, turned = {1.4, -1.1, 1.6};
    cr_assert(lt(dbl, spin_error(vec3_scale(0.2, w), w, 0.5, 10), 1e-9));
    cr_assert(lt(dbl, spin_error(vec3(0.0, 0.0, 0.0), w, 0.5, 10), 1e-9));
    double error[3];
    for (int k = 0; k < 3; ++k)
        error[k] = spin_error(turned, w, 0.5, 50 << k);
    cr_assert(lt(dbl, error[2], 0.03));
    // The next term is a tenth of the first at these steps.
    cr_assert(epsilon_eq(dbl, error[0] / error[1], 2.0, 0.2));
    cr_assert(epsilon_eq(dbl, error[1] / error[2], 2.0, 0.1));
}

// [IBDEM25] 6.1: outcomes are "indistinguishable". In one step from rest they differ by what backward differences of
// turns are off quaternions', a^2/24 of inertia.
Test(optimizers, add_bends_a_beam_as_the_others)
{
    beam b = make_beam(0.02, 0.006, 1e7, BEND, 2);
    double dt = 100.0 * b.period, farthest = 0.0;
    turn_ends(&b, 1.0, false, dt);
    cr_assert(solve(&b, SHERD_OPTIMIZER_MANIFOLD_NEWTON, dt).converged);
    sherd_pose *found = calloc((size_t)b.packing->count, sizeof *found);
    for (int32_t k = 0; k < b.packing->count; ++k)
        found[k] = sherd_optimizer_solution(b.optimizer, k);
    sherd_optimizer_report r = solve(&b, SHERD_OPTIMIZER_ADD, dt);
    cr_assert(r.converged, "%s", r.ended);
    cr_assert(last_residual(&r) < 1e-9);
    cr_assert(r.unbalanced > 1e-9); // (6) is another equation
    for (int32_t k = 0; k < b.packing->count; ++k)
        farthest = fmax(farthest, vec3_distance(found[k].position,
                                                sherd_optimizer_solution(b.optimizer, k).position));
    cr_assert(farthest < 1e-5 * RADIUS, "%g radii", farthest / RADIUS);
    free(found);
    free_beam(&b);
}

// ---------------------------------------------------------------- penalty with a fixed kappa: (36)

// The constraint is off by the force that holds it over kappa, so that a hundred times kappa leaves a hundredth of the
// unbalanced force.
Test(optimizers, a_fixed_penalty_leaves_an_error_over_kappa)
{
    double left[3], off[3];
    for (int k = 0; k < 3; ++k) {
        beam b = make_beam(0.02, 0.006, 1e7, BEND, 2);
        sherd_optimizer_destroy(b.optimizer);
        sherd_error error;
        sherd_optimizer_def def = sherd_optimizer_def_default();
        def.count = b.packing->count;
        def.x = b.packing->x, def.y = b.packing->y, def.z = b.packing->z;
        def.radius = b.packing->radius, def.held = b.held;
        def.material.youngs_modulus = 1e7, def.material.shear_modulus = 4e6;
        def.penalty = pow(100.0, k + 1);
        b.optimizer = sherd_optimizer_create(&def, &error);
        double dt = 100.0 * b.period;
        turn_ends(&b, 1.0, false, dt);
        sherd_optimizer_report r = solve(&b, SHERD_OPTIMIZER_PENALTY_FIXED, dt);
        cr_assert(r.converged, "%s", r.ended);
        left[k] = r.unbalanced, off[k] = r.history[r.iterations].violation;
        free_beam(&b);
    }
    for (int k = 0; k < 2; ++k) {
        cr_assert(epsilon_eq(dbl, left[k] / left[k + 1], 100.0, 15.0), "%g", left[k] / left[k + 1]);
        cr_assert(epsilon_eq(dbl, off[k] / off[k + 1], 100.0, 15.0), "%g", off[k] / off[k + 1]);
    }
    cr_assert(left[0] > 1e-7);
}

// ---------------------------------------------------------------- mistakes

static void expect_refusal(const sherd_optimizer_def *def, const char *where)
{
    sherd_error error = {0};
    cr_assert(sherd_optimizer_create(def, &error) == NULL, "%s", where);
    cr_assert(error.status == SHERD_ERROR_INPUT);
    cr_assert(strstr(error.where, where) != NULL, "%s, not %s", error.where, where);
}

Test(optimizers, definitions_out_of_range_are_refused)
{
    double x = 0.0, radius = 1e-3;
    sherd_optimizer_def good = sherd_optimizer_def_default(), def;
    good.count = 1;
    good.x = good.y = good.z = &x, good.radius = &radius;
    sherd_error error;
    sherd_optimizer *o = sherd_optimizer_create(&good, &error);
    cr_assert(o != NULL);
    sherd_optimizer_report r;
    const double steps[] = {0.0, -1.0, NAN, INFINITY, 1e-200};
    for (int k = 0; k < 5; ++k)
        cr_assert(sherd_optimizer_solve(o, SHERD_OPTIMIZER_PENALTY, steps[k], &r, &error) ==
                  SHERD_ERROR_INPUT);
    cr_assert(sherd_optimizer_solve(o, SHERD_OPTIMIZER_METHOD_COUNT, 1.0, &r, &error) ==
              SHERD_ERROR_INPUT);
    sherd_optimizer_set_velocity(o, 0, vec3(NAN, 0, 0), vec3(0, 0, 0));
    cr_assert(sherd_optimizer_solve(o, SHERD_OPTIMIZER_PENALTY, 1.0, &r, &error) ==
              SHERD_ERROR_INPUT);
    sherd_optimizer_destroy(o);
    def = (sherd_optimizer_def){0};
    expect_refusal(&def, "optimizer");
    def = good, def.count = 0;
    expect_refusal(&def, "optimizer.count");
    def = good, def.tolerance = 0.0;
    expect_refusal(&def, "optimizer.tolerance");
    def = good, def.penalty = 0.0;
    expect_refusal(&def, "optimizer.penalty");
    def = good, def.max_iterations = 0;
    expect_refusal(&def, "optimizer.max_iterations");
    def = good, def.max_seconds = NAN;
    expect_refusal(&def, "optimizer.max_seconds");
    def = good, def.bond_reach = -1.0;
    expect_refusal(&def, "optimizer.bond_reach");
    def = good, def.floor_height = NAN;
    expect_refusal(&def, "optimizer.floor_height");
    def = good, def.gravity.x = INFINITY;
    expect_refusal(&def, "optimizer.gravity");
    def = good, def.material.law = SHERD_BOND_LAW_LU;
    expect_refusal(&def, "optimizer.material.law");
    radius = -1.0;
    expect_refusal(&good, "optimizer");
}

Test(optimizers, a_search_that_runs_out_of_iterations_says_so)
{
    double x[] = {0.0, 2e-3}, y[] = {0.0, 0.0}, radius[] = {1e-3, 1e-3};
    sherd_error error;
    sherd_optimizer_def def = sherd_optimizer_def_default();
    def.count = 2;
    def.x = x, def.y = y, def.z = y, def.radius = radius;
    def.max_iterations = 1;
    def.tolerance = 1e-14;
    sherd_optimizer *o = sherd_optimizer_create(&def, &error);
    cr_assert(eq(i64, sherd_optimizer_bond_count(o), 1));
    double dt = 100.0 * sherd_optimizer_period(o);
    sherd_optimizer_set_velocity(o, 1, vec3(0.0, 1e-3 / dt, 0.0), vec3(0.5 / dt, 0.0, 0.0));
    sherd_optimizer_report r;
    cr_assert(sherd_optimizer_solve(o, SHERD_OPTIMIZER_MANIFOLD_NEWTON, dt, &r, &error) ==
              SHERD_OK);
    cr_assert(not(r.converged));
    cr_assert(eq(int, r.iterations, 1));
    cr_assert(r.ended != NULL);
    cr_assert(sherd_optimizer_method_name((sherd_optimizer_method)99) == NULL);
    sherd_optimizer_destroy(o);
}
