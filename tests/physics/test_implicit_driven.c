// Regions that are moved: reactions, work and momentum by implicit steps against explicit ones.
#include "physics/methods.h"

static block soft_bar(void)
{
    block bar = block_default();
    bar.size = (sherd_vec3){0.2, 0.04, 0.04};
    bar.radius = 0.01;
    bar.material.youngs_modulus = 1e6;
    bar.material.shear_modulus = 4e5;
    bar.material.density = 1000.0;
    bar.material.bond_damping = 0.05;
    return bar;
}

static const stepping CHOSEN = {SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO},
                      SWITCHING = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};

// What frames of a run show.
enum { FRAMES = 6 };
typedef struct record {
    sherd_vec3 force[FRAMES], torque[FRAMES], displacement[FRAMES]; // of the driver
    double work[FRAMES];
    double stored[FRAMES]; // elastic and kinetic energy
    int64_t steps;
} record;

// One end is held, or free; the other is driven.
static record run(stepping by, bool clamped, sherd_driver_def driver, double frame)
{
    record out = {0};
    sherd_world_def def = def_of(by, (sherd_vec3){0, 0, 0});
    def.accuracy = 0.003;
    sherd_world *world = create(&def);
    block bar = soft_bar();
    add_block(world, &bar, NULL);
    if (clamped) drive_slab(world, -1.0, -0.08, held());
    sherd_driver_id id = drive_slab(world, 0.08, 1.0, driver);
    set_frame(world, by, frame);
    for (int k = 0; k < FRAMES; ++k) {
        advance(world, (k + 1) * frame);
        sherd_probe_reading reading = sherd_world_probe_driver(world, id);
        sherd_energy energy = sherd_world_energy(world);
        out.force[k] = reading.force, out.torque[k] = reading.torque;
        out.displacement[k] = reading.displacement;
        out.work[k] = energy.work, out.stored[k] = energy.elastic + energy.kinetic;
        sherd_world_reset_probes(world);
    }
    out.steps = sherd_world_step_count(world);
    sherd_world_destroy(world);
    return out;
}

static double length_of(sherd_vec3 a)
{
    return distance(a, (sherd_vec3){0, 0, 0});
}

// 2 % of the largest reading: the mean of a frame, however long its steps.
static void compare(const record *a, const record *b, bool by_force)
{
    double force = 0.0, torque = 0.0, work = 0.0;
    for (int k = 0; k < FRAMES; ++k) {
        force = fmax(force, length_of(a->force[k]));
        torque = fmax(torque, length_of(a->torque[k]));
        work = fmax(work, fabs(a->work[k]));
    }
    for (int k = 0; k < FRAMES; ++k) {
        if (by_force)
            cr_expect(lt(dbl, distance(a->force[k], b->force[k]), 0.02 * force), "frame %d", k);
        if (!by_force)
            cr_expect(lt(dbl, distance(a->torque[k], b->torque[k]), 0.02 * torque), "frame %d", k);
        cr_expect(epsilon_eq(dbl, b->work[k], a->work[k], 0.02 * work), "frame %d", k);
    }
}

// Moves smoothly, so that the bar follows nearly at rest, and comes back.
enum { KEYS = 257 };
static sherd_driver_def driver_along(sherd_motion_key *keys, sherd_vec3 way, sherd_vec3 turn,
                                     double duration)
{
    for (int k = 0; k < KEYS; ++k) {
        double s = k / (KEYS - 1.0), h = 0.5 - 0.5 * cos(2.0 * M_PI * s);
        keys[k] = (sherd_motion_key){
            s * duration, {way.x * h, way.y * h, way.z * h}, {turn.x * h, turn.y * h, turn.z * h}};
    }
    sherd_driver_def def = held();
    def.motion.key_count = KEYS, def.motion.keys = keys;
    return def;
}

Test(implicit_driven, pulling_and_shearing_need_the_force_and_work_of_explicit_steps)
{
    sherd_motion_key keys[KEYS];
    sherd_driver_def driver =
        driver_along(keys, (sherd_vec3){0.004, 0.003, 0.0}, (sherd_vec3){0, 0, 0}, 0.36);
    record a = run(EXPLICIT, true, driver, 0.06), b = run(CHOSEN, true, driver, 0.06),
           c = run(SWITCHING, true, driver, 0.06);
    cr_assert(lt(i64, b.steps * 4, a.steps)); // steps are longer than explicit ones
    compare(&a, &b, true);
    compare(&a, &c, true);
}

Test(implicit_driven, twisting_needs_the_torque_and_work_of_explicit_steps)
{
    sherd_motion_key keys[KEYS];
    sherd_driver_def driver =
        driver_along(keys, (sherd_vec3){0, 0, 0}, (sherd_vec3){0.4, 0, 0}, 0.36);
    record a = run(EXPLICIT, true, driver, 0.06), b = run(CHOSEN, true, driver, 0.06);
    compare(&a, &b, false);
}

// A driver that turns a free bar about its own end: the bar follows as it does by explicit steps, and what the
// driver does is what the bar has. At rest first: no jump of velocity.
Test(implicit_driven, a_bar_swung_by_its_end_takes_up_the_work)
{
    sherd_motion_key keys[KEYS];
    sherd_driver_def driver =
        driver_along(keys, (sherd_vec3){0, 0, 0}, (sherd_vec3){0, 0, 1.0}, 0.48);
    driver.motion.pivot.x = 0.09;
    record a = run(EXPLICIT, false, driver, 0.04), b = run(CHOSEN, false, driver, 0.04);
    compare(&a, &b, false);
    double most = 0.0;
    for (int k = 0; k < FRAMES; ++k)
        most = fmax(most, a.stored[k]);
    for (int k = 0; k < FRAMES; ++k)
        cr_expect(epsilon_eq(dbl, b.stored[k], a.stored[k], 0.02 * most), "frame %d", k);
}

// A bar that turns steadily about its middle, held at one end, needs no work, and keeps its kinetic energy. What holds
// it sees no more of it than the tolerance of minima leaves over: steps that turn by 0.08 radian, as their error in
// places alone allows, show 5 % of its kinetic energy as work, and 1.5 % up and down in it.
Test(implicit_driven, a_bar_that_turns_with_its_holder_needs_no_work)
{
    const sherd_vec3 spin = {0.0, 0.0, 20.0};
    sherd_world_def def = def_of(SWITCHING, (sherd_vec3){0, 0, 0});
    sherd_world *world = create(&def);
    block bar = soft_bar();
    bar.material.youngs_modulus = 1e9, bar.material.shear_modulus = 4e8;
    bar.angular_velocity = spin;
    add_block(world, &bar, NULL);
    sherd_driver_def driver = held();
    driver.motion.angular_velocity = spin;
    drive_slab(world, 0.08, 1.0, driver);
    double kinetic = sherd_world_energy(world).kinetic;
    for (int k = 1; k <= 20; ++k) {
        advance(world, 0.02 * k);
        sherd_energy energy = sherd_world_energy(world);
        cr_expect(lt(dbl, fabs(energy.work), 0.005 * kinetic), "%g of %g J", energy.work, kinetic);
        cr_expect(epsilon_eq(dbl, energy.kinetic, kinetic, 0.002 * kinetic));
    }
    cr_expect(sherd_world_solver_counts(world).implicit_steps > 0);
    sherd_world_destroy(world);
}

// A region on rollers: pulled along x it may give way across, and turn.
Test(implicit_driven, rollers_leave_free_what_they_should)
{
    sherd_motion_key keys[KEYS];
    const double way = 0.006;
    sherd_driver_def driver =
        driver_along(keys, (sherd_vec3){0, 0, way}, (sherd_vec3){0, 0, 0}, 0.36);
    driver.free_axes[0] = driver.free_axes[1] = true;
    record a = run(EXPLICIT, true, driver, 0.06), b = run(CHOSEN, true, driver, 0.06);
    for (int k = 0; k < FRAMES; ++k) {
        cr_assert(epsilon_eq(dbl, b.displacement[k].z, a.displacement[k].z, 1e-9));
        // 2 % of the way; along x the end gives way as the bar bends, by some per cent of that.
        cr_expect(lt(dbl, distance(a.displacement[k], b.displacement[k]), 0.02 * way), "frame %d",
                  k);
    }
    compare(&a, &b, true);
}

// The mean force of a probe is the change of momentum over time, however long single steps were: a push that
// lasts a part of the time.
static void check_impulse(stepping by)
{
    static const double times[] = {0.0, 0.013, 0.05, 0.061}, factors[] = {0.0, 1.0, 0.5, 0.0};
    sherd_driver_def driver = sherd_driver_def_default();
    driver.drive = SHERD_DRIVE_FORCE;
    driver.force = (sherd_vec3){0.0, 2.0, 0.0};
    driver.force_key_count = 4;
    driver.force_times = times, driver.force_factors = factors;
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, 0});
    block bar = soft_bar();
    add_block(world, &bar, NULL);
    drive_slab(world, 0.08, 1.0, driver);
    advance(world, 0.1);
    // The table's integral: to rounding by implicit steps. Explicit ones sample it, 85 of them the last part: 1e-3.
    double impulse = 2.0 * (0.5 * 0.013 + 0.75 * 0.037 + 0.25 * 0.011);
    double exact = by.method == SHERD_METHOD_IMPLICIT ? 1e-9 : 1e-3;
    sherd_vec3 p = sherd_world_momentum(world);
    cr_expect(epsilon_eq(dbl, p.y, impulse, exact * impulse), "method %d, %g T", (int)by.method,
              by.limits);
    // And the work is what the bar has: nothing else takes or gives but damping and integration, which closes the
    // balance of implicit steps to rounding. Explicit steps at 0.7 T leave 0.3 % of a push's work.
    sherd_energy e = sherd_world_energy(world);
    double has = e.kinetic + e.elastic + e.dissipated_bonds + e.dissipated_integration;
    double open = by.method == SHERD_METHOD_IMPLICIT ? 1e-6 : 0.01;
    cr_expect(epsilon_eq(dbl, has, e.work, open * e.work), "method %d, %g T", (int)by.method,
              by.limits);
    sherd_world_destroy(world);
}

Test(implicit_driven, a_push_gives_its_impulse)
{
    check_impulse((stepping){SHERD_METHOD_IMPLICIT, 20.0, SHERD_SCHEME_EULER});
    check_impulse(CHOSEN);
    check_impulse(SWITCHING);
}

// A clamped bar at rest under gravity: the clamp's mean force over a time in which steps of very different
// lengths were made is the weight of what it carries.
Test(implicit_driven, probes_weigh_steps_by_their_length)
{
    sherd_world_def def = def_of(CHOSEN, (sherd_vec3){0, 0, -9.81});
    sherd_world *world = create(&def);
    block bar = soft_bar();
    bar.size.x = 0.1;
    bar.material.bond_damping = 5.0;
    add_block(world, &bar, NULL);
    sherd_driver_id id = drive_slab(world, -1.0, -0.03, held());
    double carried = 0.0;
    for (int k = 0; k < sherd_world_elements(world).count; ++k) {
        sherd_element_info given = sherd_world_element(world, k);
        if (given.rest.x > -0.03) carried += 9.81 * given.mass;
    }
    const double until = 2.0;
    advance(world, until);
    double force = sherd_world_probe_driver(world, id).force.z;
    sherd_energy e = sherd_world_energy(world);
    // Mean force is weight less momentum over time; nothing moves at the end. The first steps are short and
    // their force is not the weight, so equal weights would be off by far more than 2 %.
    cr_assert(lt(dbl, e.kinetic, 1e-6 * e.elastic));
    cr_assert(epsilon_eq(dbl, force, -carried, 0.02 * carried), "%g", force / carried);
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- length of steps

typedef struct jerk {
    double *x; // of elements; owned
    int count;
    int64_t steps, early; // in all, and until half the time
} jerk;

// One end is jerked to a constant speed: a wave runs to and fro while the bar gets longer and longer.
static jerk run_jerk(stepping by)
{
    const double frame = 0.06;
    sherd_motion_key keys[] = {{0.0, {0, 0, 0}, {0, 0, 0}}, {0.48, {0.024, 0, 0}, {0, 0, 0}}};
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, 0});
    block bar = soft_bar();
    add_block(world, &bar, NULL);
    drive_slab(world, -1.0, -0.08, held());
    sherd_driver_def driver = held();
    driver.motion.key_count = 2, driver.motion.keys = keys;
    drive_slab(world, 0.08, 1.0, driver);
    set_frame(world, by, frame);
    jerk out = {0};
    for (int k = 0; k < 8; ++k) {
        advance(world, (k + 1) * frame);
        if (k == 3) out.early = sherd_world_step_count(world);
    }
    sherd_element_view e = sherd_world_elements(world);
    out.count = e.count, out.steps = sherd_world_step_count(world);
    out.x = calloc((size_t)e.count, sizeof *out.x);
    for (int k = 0; k < e.count; ++k)
        out.x[k] = e.x[k] - sherd_world_element(world, k).rest.x;
    sherd_world_destroy(world);
    return out;
}

// The wave is 1 % of the way in the end: steps that followed it at 1 % of themselves would be a few T long
// throughout. Held against the way, they grow to frames; and places stay right to 1 %.
Test(implicit_driven, a_wave_that_is_small_against_the_way_does_not_shorten_steps)
{
    jerk a = run_jerk(EXPLICIT), b = run_jerk(CHOSEN);
    double off = 0.0, way = 0.0;
    for (int k = 0; k < a.count; ++k) {
        off += (b.x[k] - a.x[k]) * (b.x[k] - a.x[k]);
        way += a.x[k] * a.x[k];
    }
    cr_expect(lt(dbl, sqrt(off / way), 0.01), "%g", sqrt(off / way));
    int64_t late = b.steps - b.early, explicitly = a.steps - a.early;
    cr_expect(lt(i64, late * 30, explicitly), "%d steps, %d explicit ones", (int)late,
              (int)explicitly);
    free(a.x);
    free(b.x);
}

// ---------------------------------------------------------------- obstacles

enum { PRESSES = 4 };

// A ball is pressed slowly into a soft slab whose base is held: the force on it in each of a few frames [N].
static void press(stepping by, double ball_feels[PRESSES], double base_feels[PRESSES])
{
    static const double FRAME = 0.01; // [s]
    sherd_error error;
    sherd_world *world = world_by(by, (sherd_vec3){0});
    block slab = block_default();
    slab.size = (sherd_vec3){0.016, 0.016, 0.006};
    slab.material.youngs_modulus = 50e6;
    slab.material.shear_modulus = 20e6;
    slab.material.bond_damping = 0.05;
    slab.material.breakage = SHERD_BREAKAGE_NONE;
    slab.pose.position.z = -0.003;
    add_block(world, &slab, NULL);
    sherd_driver_id base =
        drive(world, (sherd_vec3){0.0, 0.0, -0.006}, (sherd_vec3){1.0, 1.0, 0.003}, held());
    sherd_shape *ball = sherd_shape_sphere(0.006, &error);
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_DRIVEN;
    def.shape = ball;
    def.pose.position.z = 0.00603;
    def.motion.velocity.z = -0.01;
    sherd_obstacle_id punch = sherd_world_add_obstacle(world, &def, &error);
    set_frame(world, by, FRAME);
    for (int k = 0; k < PRESSES; ++k) {
        advance(world, (k + 1) * FRAME);
        ball_feels[k] = sherd_world_probe_obstacle(world, punch).force.z;
        base_feels[k] = -sherd_world_probe_driver(world, base).force.z;
        sherd_world_reset_probes(world);
    }
    sherd_world_destroy(world);
    sherd_shape_destroy(ball);
}

static void expect_alike(const double by_step[PRESSES], stepping by)
{
    double ball[PRESSES], base[PRESSES];
    press(by, ball, base);
    // What 1 % of the way so far is worth, which implicit steps may err by.
    double most = 0.01 * by_step[PRESSES - 1];
    for (int k = 0; k < PRESSES; ++k) {
        cr_log_info("%g; %g %g N", by_step[k], ball[k], base[k]);
        cr_expect(epsilon_eq(dbl, ball[k], by_step[k], most));
        // The inertia of what lies between is small.
        cr_expect(epsilon_eq(dbl, ball[k], base[k], 0.1 * most));
    }
}

// Steps are then as long as frames, in which the load grows by half. Where contacts begin or slide steps are Euler's,
// whose loads at their ends alone would run ahead by half a frame.
Test(implicit_driven, probes_of_obstacles_see_the_mean_of_a_step)
{
    double by_step[PRESSES], base[PRESSES];
    press(EXPLICIT, by_step, base);
    cr_assert(lt(dbl, 10.0, by_step[PRESSES - 1]));
    expect_alike(by_step, CHOSEN);
    expect_alike(by_step, SWITCHING);
    expect_alike(by_step, (stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_EULER});
}
