// Implicit steps with what no one means to ask for: right results or clear errors, soon.
#include "physics/methods.h"

#include <string.h>

static const double G = 9.81;
static const stepping CHOSEN = {SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO},
                      SWITCHING = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};

static block soft_cube(void)
{
    block b = block_default();
    b.size = (sherd_vec3){0.06, 0.06, 0.06};
    b.radius = 0.01;
    b.material.youngs_modulus = 1e6, b.material.shear_modulus = 4e5;
    b.material.density = 1000.0;
    return b;
}

static bool is_finite(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    for (int k = 0; k < e.count; ++k)
        if (!isfinite(e.x[k] + e.y[k] + e.z[k] + e.qw[k] + e.vx[k] + e.vz[k] + e.wx[k]))
            return false;
    return true;
}

// Advances, or fails with words that say where and what; never leaves nonsense.
static bool try_advance(sherd_world *world, double until)
{
    sherd_error error = {0};
    sherd_status status = sherd_world_advance(world, until, &error);
    cr_assert(is_finite(world));
    if (status == SHERD_OK) return true;
    cr_assert(strlen(error.where) > 0 && strlen(error.what) > 0 && strlen(error.hint) > 0);
    return false;
}

// ---------------------------------------------------------------- very long steps

// A million T is some 3 s: a cube that lies on the floor at the end of its fall.
Test(implicit_odd, steps_far_too_long_end_at_rest)
{
    sherd_world *world = world_by(euler(1e6), (sherd_vec3){0, 0, -G});
    block b = soft_cube();
    b.pose.position.z = 0.06;
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    double end = 10.0 * limit_of(world) * 1e6;
    if (try_advance(world, end)) {
        cr_expect(lt(dbl, -0.001, lowest(world))); // a tenth of a radius deep at most
        cr_expect(lt(dbl, lowest(world), 0.001));
    }
    sherd_world_destroy(world);
}

// A clamped bar goes to its rest in a few of them.
Test(implicit_odd, a_clamped_bar_rests_after_steps_of_a_million_limits)
{
    sherd_world *world = world_by(euler(1e6), (sherd_vec3){0, 0, -G});
    block b = soft_cube();
    b.size.x = 0.12;
    add_block(world, &b, NULL);
    sherd_driver_id id = drive_slab(world, -1.0, -0.04, held());
    double step = 1e6 * limit_of(world), carried = 0.0;
    advance(world, 3.0 * step);
    sherd_world_reset_probes(world);
    advance(world, 4.0 * step);
    for (int k = 0; k < sherd_world_elements(world).count; ++k) {
        sherd_element_info given = sherd_world_element(world, k);
        if (given.rest.x > -0.04) carried += G * given.mass;
    }
    // Newton stops within 1e-3.
    cr_assert(
        epsilon_eq(dbl, sherd_world_probe_driver(world, id).force.z, -carried, 0.005 * carried));
    sherd_world_destroy(world);
}

// A step longer than a frame is cut to it.
Test(implicit_odd, a_step_longer_than_a_frame_is_cut)
{
    sherd_world_def def = def_of(CHOSEN, (sherd_vec3){0, 0, -G});
    def.time_step = 1.0;
    sherd_world *world = create(&def);
    block b = soft_cube();
    add_block(world, &b, NULL);
    for (int k = 1; k <= 20; ++k)
        advance(world, 0.01 * k);
    cr_assert(eq(i64, sherd_world_step_count(world), 20));
    // Free fall by Euler's steps, which are late by half a step.
    double fallen = 0.5 * G * 0.2 * (0.2 + 0.01);
    cr_assert(epsilon_eq(dbl, -mean_of(world).z, fallen, 0.02 * fallen));
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- few and loose elements

static void add_ball(sherd_world *world, sherd_vec3 at, double radius)
{
    sherd_error error;
    sherd_material_def m = sherd_material_def_default();
    sherd_body_def ball = sherd_body_def_default();
    double zero = 0.0;
    ball.count = 1;
    ball.x = ball.y = ball.z = &zero, ball.radius = &radius;
    ball.pose.position = at;
    ball.velocity = (sherd_vec3){0.3, 0.0, 0.0};
    ball.angular_velocity = (sherd_vec3){0.0, 0.0, 7.0};
    ball.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &ball, &error).index1 != 0, "%s", error.what);
}

// One element, no bonds, no obstacles, no gravity: it flies and spins on, exactly.
static void check_flight(stepping by)
{
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, 0});
    add_ball(world, (sherd_vec3){0, 0, 1.0}, 0.01);
    advance(world, 0.5);
    sherd_element_view e = sherd_world_elements(world);
    cr_assert(epsilon_eq(dbl, e.x[0], 0.15, 1e-9));
    cr_assert(epsilon_eq(dbl, e.vx[0], 0.3, 1e-12));
    cr_assert(epsilon_eq(dbl, e.wz[0], 7.0, 1e-9));
    cr_assert(epsilon_eq(dbl, fabs(e.qz[0]), fabs(sin(0.5 * 7.0 * 0.5)), 1e-7));
    sherd_world_destroy(world);
}

Test(implicit_odd, one_element_flies_on)
{
    check_flight(euler(100.0));
    check_flight((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_BDF2});
    check_flight(CHOSEN);
    check_flight(SWITCHING);
}

Test(implicit_odd, a_body_at_rest_without_gravity_stays)
{
    sherd_world *world = world_by(CHOSEN, (sherd_vec3){0, 0, 0});
    block b = soft_cube();
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    sherd_vec3 was = mean_of(world);
    advance(world, 100.0);
    cr_assert(lt(dbl, distance(mean_of(world), was), 1e-9));
    cr_assert(lt(i64, sherd_world_step_count(world), 2000)); // there is nothing to resolve
    sherd_world_destroy(world);
}

// Loose grains fall on a floor and come to rest there, each on it or on others.
static void settle_grains(stepping by)
{
    enum { N = 50 };
    double x[N], y[N], z[N], radius[N];
    sherd_error error;
    for (int k = 0; k < N; ++k) {
        x[k] = 0.021 * (k % 5) + 0.002 * (k / 25), y[k] = 0.021 * (k / 5 % 5);
        z[k] = 0.012 + 0.021 * (k / 25), radius[k] = 0.01;
    }
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, -G});
    sherd_material_def m = sherd_material_def_default();
    m.youngs_modulus = 1e6, m.shear_modulus = 4e5;
    sherd_body_def grains = sherd_body_def_default();
    grains.count = N;
    grains.x = x, grains.y = y, grains.z = z, grains.radius = radius;
    grains.bonding = SHERD_BONDING_NONE;
    grains.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &grains, &error).index1 != 0, "%s", error.what);
    add_floor(world, NAN);
    set_frame(world, by, 0.5);
    advance(world, 0.5);
    // None has sunk in by more than a tenth of a radius, none flies.
    cr_expect(lt(dbl, -0.001, lowest(world)), "%g T", by.limits);
    sherd_element_view e = sherd_world_elements(world);
    for (int k = 0; k < N; ++k)
        cr_expect(lt(dbl, e.z[k], 0.05), "%g T", by.limits);
    sherd_energy energy = sherd_world_energy(world);
    double fall = N * 4.0 / 3.0 * M_PI * 1e-6 * 2600.0 * G * 0.01;
    cr_expect(lt(dbl, energy.kinetic, 0.2 * fall), "%g T", by.limits);
    sherd_world_destroy(world);
}

Test(implicit_odd, loose_grains_settle)
{
    settle_grains(euler(50.0));
    settle_grains(CHOSEN);
    settle_grains(SWITCHING);
}

// ---------------------------------------------------------------- odd materials and sizes

// Stiff on soft, a thousand to one: the stiff cube lies on the soft one, and the floor carries both.
Test(implicit_odd, a_stiff_body_rests_on_a_soft_one)
{
    sherd_world *world = world_by(euler(500.0), (sherd_vec3){0, 0, -G});
    block b = soft_cube();
    b.material.restitution = 0.1;
    b.pose.position.z = 0.035;
    add_block(world, &b, NULL);
    b.material.youngs_modulus = 1e9, b.material.shear_modulus = 4e8;
    b.pose.position.z = 0.1;
    add_block(world, &b, NULL);
    sherd_error error;
    sherd_obstacle_def plane = sherd_obstacle_def_default();
    plane.is_plane = true;
    sherd_obstacle_id floor = sherd_world_add_obstacle(world, &plane, &error);
    advance(world, 0.5);
    sherd_world_reset_probes(world);
    advance(world, 0.6);
    double weight = 0.0;
    for (int k = 0; k < sherd_world_elements(world).count; ++k)
        weight += G * sherd_world_element(world, k).mass;
    cr_assert(
        epsilon_eq(dbl, sherd_world_probe_obstacle(world, floor).force.z, -weight, 0.02 * weight));
    sherd_world_destroy(world);
}

// A large ball on grains a tenth of its size, bonded to a raft.
Test(implicit_odd, elements_of_very_different_size)
{
    sherd_world *world = world_by(euler(200.0), (sherd_vec3){0, 0, -G});
    block raft = soft_cube();
    raft.radius = 0.004, raft.size = (sherd_vec3){0.04, 0.04, 0.012};
    raft.pose.position.z = 0.006;
    add_block(world, &raft, NULL);
    add_ball(world, (sherd_vec3){0.0, 0.0, 0.06}, 0.04);
    add_floor(world, NAN);
    advance(world, 0.05);
    cr_assert(is_finite(world) && lowest(world) > -0.004, "%g", lowest(world));
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- settings

Test(implicit_odd, the_loosest_accuracy_still_falls_and_lands)
{
    sherd_world_def def = def_of(CHOSEN, (sherd_vec3){0, 0, -G});
    def.accuracy = 1.0;
    sherd_world *world = create(&def);
    block b = soft_cube();
    b.pose.position.z = 0.1;
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    advance(world, 1.0);
    cr_assert(is_finite(world));
    cr_assert(lowest(world) > -0.002 && lowest(world) < 0.1, "%g", lowest(world));
    sherd_world_destroy(world);
}

static void check_refused(sherd_world_def def, const char *field)
{
    sherd_error error = {0};
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world == NULL, "%s was accepted", field);
    cr_assert(strstr(error.where, field) != NULL || strstr(error.what, field) != NULL, "%s: %s",
              error.where, error.what);
}

Test(implicit_odd, settings_out_of_range_are_refused)
{
    const double bad[] = {-1.0, NAN, INFINITY};
    for (int k = 0; k < 3; ++k) {
        sherd_world_def def = def_of(CHOSEN, (sherd_vec3){0, 0, 0});
        def.time_step = bad[k];
        check_refused(def, "time_step");
        def = def_of(CHOSEN, (sherd_vec3){0, 0, 0});
        def.time_step_in_limits = bad[k];
        check_refused(def, "time_step_in_limits");
        def = def_of(CHOSEN, (sherd_vec3){0, 0, 0});
        def.accuracy = bad[k];
        check_refused(def, "accuracy");
    }
    sherd_world_def both = def_of(euler(10.0), (sherd_vec3){0, 0, 0});
    both.time_step = 1e-3;
    check_refused(both, "time_step");
}
