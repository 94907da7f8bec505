// One Gauss-Newton iteration a step, [RBDEM] Algorithm 1: what it is, what it keeps, and where it fails.
#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_pass.h"
#include "physics/methods.h"
#include "unit/dense_solve.h"
#include "world/world.h"

#include <string.h>

static stepping linear(double limits)
{
    return (stepping){SHERD_METHOD_IMPLICIT, limits, SHERD_SCHEME_LINEAR_EULER};
}

static sherd_world_def weightless(stepping by)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0.0, 0.0, 0.0});
    def.precision = SHERD_PRECISION_DOUBLE;
    def.contacts = false;
    return def;
}

static sherd_material_def rods(double youngs_modulus)
{
    sherd_material_def m = sherd_material_def_default();
    m.law = SHERD_BOND_LAW_ROD;
    m.density = 1000.0;
    m.youngs_modulus = youngs_modulus;
    m.shear_modulus = 0.4 * youngs_modulus;
    m.tensile_strength = m.shear_strength = INFINITY;
    m.bond_damping = 0.0;
    return m;
}

// ---------------------------------------------------------------- against a dense matrix

// A few touching elements that spin, in steps in which they turn by 0.001.
static sherd_world *spinning(double *dt)
{
    sherd_world_def def = weightless(linear(20.0));
    sherd_world *world = create(&def);
    block b = block_default();
    b.size = (sherd_vec3){0.006, 0.004, 0.004};
    b.material = rods(1e6);
    add_block(world, &b, NULL);
    *dt = 20.0 * limit_of(world);
    sherd_elements *e = &world->system.elements;
    sherd_vec3 spin = vec3_scale(0.001 / (*dt * sqrt(6.0)), vec3(1.0, -1.0, 2.0));
    for (sherd_element_index k = 0; k < e->count; ++k)
        sherd_element_set_velocity(e, (size_t)k, vec3_cross(spin, sherd_element_position(e, k)),
                                   spin);
    return world;
}

static void turn_by(sherd_elements *e, size_t k, sherd_vec3 move, sherd_vec3 turn)
{
    sherd_element_index i = (sherd_element_index)k;
    sherd_element_set_pose(e, k, vec3_add(sherd_element_position(e, i), move),
                           quat_normalize(quat_multiply(quat_from_rotation_vector(turn),
                                                        sherd_element_orientation(e, i))));
}

// Uniform motion over dt.
static void predict(sherd_elements *e, double dt)
{
    for (sherd_element_index k = 0; k < e->count; ++k)
        turn_by(e, (size_t)k, vec3_scale(dt, sherd_element_velocity(e, k)),
                vec3_scale(dt, sherd_element_spin(e, k)));
}

// Loads by bonds, six an element. Nothing moves while they are found, so that nothing is damped.
static void loads_of(sherd_system *s, double *out)
{
    sherd_bonds_evaluate(&s->bonds, &s->blocks, &s->elements, &s->parallel);
    for (sherd_element_index k = 0; k < s->elements.count; ++k) {
        sherd_vec3 f = sherd_element_force(&s->elements, k),
                   t = sherd_element_torque(&s->elements, k);
        const double all[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
        memcpy(out + 6 * k, all, sizeof all);
    }
}

typedef struct linearised {
    sherd_system *system;
    double inertia; // 1 / dt^2
} linearised;

static void move_all(sherd_elements *e, const double *x, double share)
{
    for (size_t k = 0; k < (size_t)e->count; ++k, x += 6)
        turn_by(e, k, vec3_scale(share, vec3(x[0], x[1], x[2])),
                vec3_scale(share, vec3(x[3], x[4], x[5])));
}

// (M / dt^2 + H) x, H from central differences of loads. Bonds are strained by 1e-6 at most here: Gauss and Newton's
// matrix differs from H by that share, and by some 400 times that of inertia.
static void multiply(const void *context, const double *x, double *y)
{
    const linearised *l = context;
    const double step = 1e-8;
    sherd_elements *e = &l->system->elements;
    size_t size = 6 * (size_t)e->count;
    double *before = sherd_alloc(size, sizeof *before);
    move_all(e, x, -step);
    loads_of(l->system, before);
    move_all(e, x, 2.0 * step);
    loads_of(l->system, y);
    move_all(e, x, -step);
    for (size_t k = 0; k < size; ++k) {
        sherd_element_index i = (sherd_element_index)(k / 6);
        double mass = k % 6 < 3 ? sherd_element_mass(e, i) : sherd_element_inertia(e, i);
        y[k] = l->inertia * mass * x[k] + (before[k] - y[k]) / (2.0 * step);
    }
    sherd_free(before);
}

// What a step moves elements by beyond uniform motion; the caller's.
static double *dense_iteration(void)
{
    double dt;
    sherd_world *world = spinning(&dt);
    sherd_system *s = &world->system;
    size_t size = 6 * (size_t)s->elements.count, *place = sherd_alloc(size, sizeof *place);
    double *load = sherd_alloc(size, sizeof *load);
    for (size_t k = 0; k < size; ++k)
        place[k] = k;
    predict(&s->elements, dt);
    for (size_t k = 0; k < (size_t)s->elements.count; ++k)
        sherd_element_set_velocity(&s->elements, k, vec3(0, 0, 0), vec3(0, 0, 0));
    loads_of(s, load);
    linearised l = {s, 1.0 / (dt * dt)};
    double *x = dense_solve(multiply, &l, size, place, size, load);
    sherd_free(place), sherd_free(load);
    sherd_world_destroy(world);
    return x;
}

// 2e-5 of the iteration's length in the matrix' norm is left by conjugate gradients, up to ten times that of
// displacements; strains and differences make 1e-5 each.
Test(linear_step, one_iteration_is_that_of_a_dense_matrix)
{
    double *expected = dense_iteration(), dt, off[2] = {0.0}, size[2] = {0.0};
    sherd_world *world = spinning(&dt), *uniform = spinning(&dt);
    advance(world, dt);
    predict(&uniform->system.elements, dt);
    const sherd_elements *e = &world->system.elements, *u = &uniform->system.elements;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        sherd_vec3 got[2] = {
            vec3_sub(sherd_element_position(e, k), sherd_element_position(u, k)),
            quat_to_rotation_vector(quat_multiply(
                sherd_element_orientation(e, k), quat_conjugate(sherd_element_orientation(u, k))))};
        for (int c = 0; c < 2; ++c) {
            const double *x = expected + 6 * k + 3 * c;
            off[c] += pow(vec3_length(vec3_sub(got[c], vec3(x[0], x[1], x[2]))), 2.0);
            size[c] += x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        }
    }
    cr_assert(size[0] > 0.0 && size[1] > 0.0);
    cr_assert(sqrt(off[0] / size[0]) < 2e-4, "displacements: %g", sqrt(off[0] / size[0]));
    cr_assert(sqrt(off[1] / size[1]) < 2e-4, "rotations: %g", sqrt(off[1] / size[1]));
    cr_assert(eq(i64, sherd_world_solver_counts(world).newton_iterations, 1));
    sherd_free(expected);
    sherd_world_destroy(world);
    sherd_world_destroy(uniform);
}

// ---------------------------------------------------------------- what it keeps

static double size_of(sherd_vec3 a)
{
    return vec3_length(a);
}

// A tumbling bar. Bonds' linearised forces sum up to nothing, to what conjugate gradients leave, 2e-5 in a step. Of its spin a share
// (dt w)^2 / 2 is lost in each step, as elements move on straight lines: 0.8 % at 0.04 rad a step, where converged steps
// correct that.
Test(linear_step, momentum_is_kept_and_spin_is_lost)
{
    sherd_world_def def = weightless(linear(50.0));
    sherd_world *world = create(&def);
    block bar = block_default();
    bar.size = (sherd_vec3){0.1, 0.02, 0.02};
    bar.radius = 5e-3;
    bar.material = rods(1e6);
    bar.velocity = (sherd_vec3){1.0, 2.0, -0.5};
    bar.angular_velocity = (sherd_vec3){0.0, 0.0, 40.0};
    add_block(world, &bar, NULL);
    sherd_vec3 p = sherd_world_momentum(world), l = sherd_world_angular_momentum(world);
    double energy = sherd_world_energy(world).kinetic;
    advance(world, 0.05);
    sherd_solver_counts counts = sherd_world_solver_counts(world);
    cr_assert(eq(i64, counts.newton_iterations, counts.implicit_steps));
    double turn = 40.0 * 0.05 / (double)counts.implicit_steps;
    double kept = pow(1.0 - 0.5 * turn * turn, (double)counts.implicit_steps);
    double off = distance(sherd_world_momentum(world), p) / size_of(p);
    cr_assert(off < 2e-5 * (double)counts.implicit_steps, "%g", off);
    double spin = size_of(sherd_world_angular_momentum(world)) / size_of(l);
    cr_assert(epsilon_eq(dbl, spin, kept, 0.3 * (1.0 - kept)), "%g, expected %g", spin, kept);
    // What it loses is in the account of integration.
    sherd_energy now = sherd_world_energy(world);
    double lost = energy - now.kinetic - now.elastic;
    cr_assert(lost > 0.0);
    cr_assert(epsilon_eq(dbl, now.dissipated_integration, lost, 1e-9 * energy));
    sherd_world_destroy(world);
}

// One element, 0.3 rad a step, beside some at rest. As printed, 1 % would be lost in each.
Test(linear_step, free_spin_is_kept)
{
    sherd_world_def def = weightless(linear(0.0));
    def.time_step = 0.01;
    sherd_world *world = create(&def);
    block ball = block_default();
    ball.size = (sherd_vec3){0.002, 0.002, 0.002};
    ball.angular_velocity = (sherd_vec3){10.0, -20.0, 20.0};
    cr_assert(eq(int, add_block(world, &ball, NULL), 1));
    block still = block_default();
    still.pose.position.x = 0.1;
    add_block(world, &still, NULL);
    sherd_vec3 l = sherd_world_angular_momentum(world);
    advance(world, 0.2);
    cr_assert(distance(sherd_world_angular_momentum(world), l) < 1e-12 * size_of(l));
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- a cantilever

typedef struct swing {
    double height, integration; // of its end [m]; energy that steps took [J]
    sherd_solver_counts counts;
} swing;

// [RBDEM] Table 1: E = 0.5 MPa, steps of 20 ms, let go under gravity.
static swing let_go(sherd_scheme scheme)
{
    sherd_world_def def = weightless((stepping){SHERD_METHOD_IMPLICIT, 0.0, scheme});
    def.gravity = (sherd_vec3){0.0, 0.0, -9.81};
    def.time_step = 0.02;
    sherd_world *world = create(&def);
    block bar = block_default();
    bar.size = (sherd_vec3){0.16, 0.024, 0.024};
    bar.radius = 3e-3;
    bar.material = rods(5e5);
    add_block(world, &bar, NULL);
    drive_slab(world, -0.1, -0.07, held());
    advance(world, 0.1);
    swing s = {lowest(world), sherd_world_energy(world).dissipated_integration,
               sherd_world_solver_counts(world)};
    sherd_world_destroy(world);
    return s;
}

// The bar's end sinks by a tenth of its length; what one iteration leaves is of the square of the strains, 0.05.
Test(linear_step, cantilever_hangs_as_converged_steps_have_it)
{
    swing one = let_go(SHERD_SCHEME_LINEAR_EULER), all = let_go(SHERD_SCHEME_EULER);
    cr_assert(eq(i64, one.counts.newton_iterations, one.counts.implicit_steps));
    cr_assert(lt(i64, all.counts.implicit_steps, all.counts.newton_iterations));
    double sunk = -0.012 - all.height;
    cr_assert(sunk > 0.005, "%g", sunk);
    cr_assert(epsilon_eq(dbl, one.height, all.height, 0.01 * sunk), "%g, %g", one.height,
              all.height);
    cr_assert(all.integration > 0.0);
    cr_assert(epsilon_eq(dbl, one.integration, all.integration, 0.02 * all.integration), "%g, %g",
              one.integration, all.integration);
}

// ---------------------------------------------------------------- where it fails

// How far the elements of a row are turned that is squashed to this share of its length in 1000 steps, centres held.
static double turned_by_squashing(sherd_scheme scheme, double share)
{
    enum { COUNT = 8 };
    const double r = 1e-3, until = 1.0;
    sherd_error error;
    sherd_world_def def = weightless((stepping){SHERD_METHOD_IMPLICIT, 0.0, scheme});
    def.time_step = 1e-3 * until;
    sherd_world *world = create(&def);
    double x[COUNT] = {0.0}, z[COUNT] = {0.0}, y[COUNT], radius[COUNT];
    z[0] = 1e-3 * r; // a bond that is not quite straight turns a little
    for (int k = 0; k < COUNT; ++k)
        y[k] = 2.0 * r * k, radius[k] = r;
    sherd_body_def body = sherd_body_def_default();
    body.count = COUNT;
    body.x = x, body.y = y, body.z = z, body.radius = radius;
    sherd_material_def material = rods(1e6);
    body.material = sherd_world_add_material(world, &material, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    for (int k = 0; k < COUNT; ++k) {
        sherd_driver_def driver = held();
        driver.free_axes[0] = true; // and rotations
        driver.motion.velocity.y = (share - 1.0) * y[k] / until;
        drive(world, (sherd_vec3){0.0, y[k], 0.0}, (sherd_vec3){r, r, r}, driver);
    }
    advance(world, until);
    sherd_element_view e = sherd_world_elements(world);
    double most = 0.0;
    for (int k = 0; k < COUNT; ++k)
        most = fmax(most, fabs(e.qx[k]));
    sherd_world_destroy(world);
    return most;
}

// Against turning, a rod squashed to lambda is stiffer than its Gauss-Newton matrix by E/(kappa G) (1 - lambda)/lambda,
// 3 (1 - lambda)/lambda here. In long steps x' = rho (2 x - x_before) with rho = - that, which grows from rho = -1/3 on:
// lambda = 0.9, slowly at first. Converged steps don't.
Test(linear_step, squashed_rods_turn_without_end)
{
    double before = turned_by_squashing(SHERD_SCHEME_LINEAR_EULER, 0.92),
           beyond = turned_by_squashing(SHERD_SCHEME_LINEAR_EULER, 0.84),
           converged = turned_by_squashing(SHERD_SCHEME_EULER, 0.84);
    cr_assert(before < 1e-3 && converged < 1e-3, "%g, %g", before, converged);
    cr_assert(beyond > 0.02, "%g", beyond);
}

// ---------------------------------------------------------------- the barrier

static const double BALL = 0.001, BARRIER_KC = 1e7; // radius [m]; k_c [Pa]

// Two elements that touch at x = 0 and close with the relative speed v.
static sherd_world *meeting(sherd_scheme scheme, double dt, double v)
{
    sherd_error error;
    sherd_world_def def = weightless(linear(0.0));
    def.scheme = scheme;
    def.contacts = true;
    def.time_step_in_limits = 0.0, def.time_step = dt;
    def.contact_potential = SHERD_CONTACT_BARRIER;
    def.contact_barrier = 2.0;
    def.contact_stiffness = BARRIER_KC;
    sherd_world *world = create(&def);
    sherd_material_def material = rods(1e8);
    material.friction = 0.0, material.restitution = 1.0;
    sherd_material_id id = sherd_world_add_material(world, &material, &error);
    for (int side = -1; side <= 1; side += 2) {
        double x = side * BALL, none = 0.0;
        sherd_body_def body = sherd_body_def_default();
        body.count = 1;
        body.x = &x, body.y = body.z = &none, body.radius = &BALL;
        body.material = id;
        body.velocity.x = -0.5 * side * v;
        cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    }
    return world;
}

// (30) with its sign turned, in the distance d of the centres [J].
static double printed_energy(double d)
{
    double reach = 2.0 * BALL;
    return -0.5 * BARRIER_KC * M_PI * BALL * (reach - d) * (reach - d) * log(d / reach);
}

// The distance after a step: one Newton iteration from the predicted distance, with the paper's energy up to `least`
// and its second-order expansion there nearer than that. Differences of the energy: 1e-6 of force and tangent.
static double expected_distance(double dt, double v, double least)
{
    double mass = 1000.0 * 4.0 / 3.0 * M_PI * BALL * BALL * BALL, reach = 2.0 * BALL;
    double d = fabs(reach - v * dt), at = fmax(d, least), h = 1e-4 * at;
    double less = printed_energy(at - h), more = printed_energy(at + h), here = printed_energy(at);
    double slope = (more - less) / (2.0 * h), tangent = (more - 2.0 * here + less) / (h * h);
    slope += tangent * (d - at);
    return d - slope / (tangent + 0.5 * mass / (dt * dt));
}

// Of the centres, along their line before the step.
static double distance_of(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    return e.x[1] - e.x[0];
}

// Relative to the prediction's overlap: 2e-5 of it by conjugate gradients, and what differences leave.
Test(linear_step, barrier_is_the_paper_s_at_predicted_places)
{
    const double dt = 1e-4, reach = 2.0 * BALL;
    for (double share = 0.01; share < 0.99; share += 0.07) {
        double v = share * reach / dt;
        sherd_world *world = meeting(SHERD_SCHEME_LINEAR_EULER, dt, v);
        advance(world, dt);
        double expected = expected_distance(dt, v, 0.05 * reach);
        cr_assert(epsilon_eq(dbl, distance_of(world), expected, 1e-4 * share * reach), "at %g",
                  share);
        cr_assert(eq(i64, sherd_world_solver_counts(world).newton_iterations, 1));
        double p = sherd_world_momentum(world).x;
        cr_assert(lt(dbl, fabs(p), 1e-4 * 4.2e-6 * v));
        sherd_world_destroy(world);
    }
}

// However stiff contacts are, Newton's step from a predicted overlap y of 2 r is its force over its tangent,
// at most 0.2 of 2 r and less the deeper it is. Elements that advance by a = v dt / 2 r go 0.40, 0.64, 0.76 and 0.77
// deep and turn round for a = 0.6, and go 0.51 deep and on to 1.01 for a = 0.7. Converged steps hold at any speed.
Test(linear_step, fast_elements_pass_through_the_linearised_barrier)
{
    const double dt = 1e-2, reach = 2.0 * BALL; // so long that inertia is nothing
    for (int fast = 0; fast < 2; ++fast) {
        double v = (fast ? 0.7 : 0.6) * reach / dt;
        sherd_world *one = meeting(SHERD_SCHEME_LINEAR_EULER, dt, v),
                    *all = meeting(SHERD_SCHEME_EULER, dt, v);
        advance(one, 20.0 * dt), advance(all, 20.0 * dt);
        bool passed = distance_of(one) < 0.0;
        cr_assert(eq(int, passed, fast), "at %g of 2 r: %g", fast ? 0.7 : 0.6, distance_of(one));
        cr_assert(lt(dbl, 0.0, distance_of(all)));
        sherd_world_destroy(one), sherd_world_destroy(all);
    }
}

// A free ball strikes a plate, of elements that nothing holds: what it loses the plate gains, to what conjugate
// gradients leave.
Test(linear_step, free_bodies_keep_momentum)
{
    sherd_error error;
    sherd_world_def def = weightless(linear(20.0));
    def.contacts = true;
    def.contact_potential = SHERD_CONTACT_BARRIER;
    def.contact_barrier = 2.0;
    sherd_world *world = create(&def);
    block plate = block_default();
    plate.size = (sherd_vec3){0.02, 0.02, 0.004};
    plate.material = rods(1e7);
    add_block(world, &plate, NULL);
    sherd_shape *ball = sherd_shape_sphere(0.004, &error);
    sherd_obstacle_def free = sherd_obstacle_def_default();
    free.kind = SHERD_OBSTACLE_FREE;
    free.shape = ball;
    free.density = 2000.0;
    free.pose.position = (sherd_vec3){0.001, 0.0, 0.0085};
    free.velocity.z = -1.0;
    sherd_obstacle_id id = sherd_world_add_obstacle(world, &free, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    double before = -free.density * 4.0 / 3.0 * M_PI * 0.004 * 0.004 * 0.004;
    advance(world, 4e-3);
    double z = sherd_world_obstacle_pose(world, 0).position.z;
    cr_assert(lt(dbl, 0.0052, z), "0.0045 m without a plate: %g", z);
    cr_assert(lt(dbl, fabs(sherd_world_momentum(world).z - before), 1e-4 * fabs(before)));
    sherd_shape_destroy(ball);
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- determinism

// A bar that breaks as it lands, all overstressed bonds at the end of a step.
static sherd_world *landing(int threads)
{
    sherd_world_def def = def_of(linear(5.0), (sherd_vec3){0.0, 0.0, -9.81});
    def.threads = threads;
    def.paper_fracture = true;
    sherd_world *world = create(&def);
    block b = block_default();
    b.size = (sherd_vec3){0.04, 0.04, 0.006}; // more than a block of elements
    b.material = rods(1e7);
    b.material.tensile_strength = b.material.shear_strength = 5e3;
    b.pose.position.z = 0.0115;
    b.pose.rotation = (sherd_quat){0.0, sin(0.2), 0.0, cos(0.2)};
    b.velocity.z = -2.0;
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    return world;
}

Test(linear_step, threads_and_restarts_do_not_matter)
{
    sherd_error error;
    sherd_world *one = landing(1), *two = landing(2), *again = landing(3);
    const double half = 2e-3, end = 4e-3;
    void *state;
    size_t size;
    advance(one, half), advance(one, end);
    advance(two, half);
    cr_assert(eq(int, sherd_world_save(two, &state, &size, &error), SHERD_OK));
    cr_assert(eq(int, sherd_world_restore(again, state, size, &error), SHERD_OK), "%s", error.what);
    advance(two, end), advance(again, end);
    cr_assert(lt(i64, 20, sherd_world_bonds(one).broken_count));
    cr_assert(eq(u64, sherd_world_state_hash(two), sherd_world_state_hash(one)));
    cr_assert(eq(u64, sherd_world_state_hash(again), sherd_world_state_hash(one)));
    sherd_energy a = sherd_world_energy(two), b = sherd_world_energy(again);
    cr_assert(memcmp(&a, &b, sizeof a) == 0);
    sherd_world_free_state(state);
    sherd_world_destroy(one), sherd_world_destroy(two), sherd_world_destroy(again);
}

// ---------------------------------------------------------------- what it is refused with

static void expect_refusal(const sherd_world_def *def, const char *what, const char *hint)
{
    sherd_error error;
    sherd_world *world = create(def);
    block b = block_default();
    add_block(world, &b, NULL);
    cr_assert(eq(int, sherd_world_advance(world, 1e-3, &error), SHERD_ERROR_INPUT));
    cr_assert(eq(str, error.where, "scheme"));
    cr_assert(eq(str, error.what, (char *)what));
    cr_assert(eq(str, error.hint, (char *)hint));
    sherd_world_destroy(world);
}

Test(linear_step, refuses_what_needs_converged_steps)
{
    sherd_world_def def = def_of(linear(20.0), (sherd_vec3){0.0, 0.0, 0.0}), chosen = def,
                    switching = def;
    chosen.time_step_in_limits = 0.0;
    expect_refusal(&chosen,
                   "linear_euler steps have no length of their own choice: their error is not "
                   "judged",
                   "give a time_step, e.g. 50 T");
    switching.method = SHERD_METHOD_AUTO;
    expect_refusal(&switching,
                   "linear_euler steps are for the implicit method: their error is not judged, "
                   "which auto goes by",
                   "use method implicit, or scheme euler or auto");
}
