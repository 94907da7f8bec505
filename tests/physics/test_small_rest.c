// Small bodies that rest, stand on each other or slide to rest, by the default method at rates of films: no run ends
// early, nothing creeps, nothing is thrown. Steps are up to 1e5 stability limits long there, so that the inertia of a
// body that slides is a share of 1e-9 and less of what its bonds and contacts resist with.
#include "physics/methods.h"

#define GRAVITY 9.81

static const stepping CHOSEN = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};

typedef struct solid {
    double youngs_modulus, density, strength, friction;
} solid;

// About: concrete, glass, brick, ice, a generic solid, wood.
static const solid SOLIDS[] = {{33e9, 2400, 2.9e6, 0.6}, {70e9, 2500, 45e6, 0.4},
                               {10e9, 1800, 2e6, 0.6},   {9.3e9, 917, 1.4e6, 0.05},
                               {1e9, 2600, 10e6, 0.4},   {5e8, 450, 3e6, 0.4}};
enum { SOLID_COUNT = sizeof SOLIDS / sizeof SOLIDS[0] };

static block box_of(const solid *s, double side, double height)
{
    block b = block_default();
    b.size = (sherd_vec3){side, side, height};
    b.material.youngs_modulus = s->youngs_modulus;
    b.material.shear_modulus = 0.4 * s->youngs_modulus;
    b.material.density = s->density;
    b.material.tensile_strength = s->strength;
    b.material.shear_strength = 1.5 * s->strength;
    b.material.friction = s->friction;
    b.pose.position.z = 0.5 * height;
    return b;
}

static sherd_world *world_of(bool sleep)
{
    sherd_world_def def = def_of(CHOSEN, (sherd_vec3){0, 0, -GRAVITY});
    def.threads = 1;
    def.sleep = sleep;
    return create(&def);
}

static sherd_vec3 mean_position(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    sherd_vec3 sum = {0};
    for (int k = 0; k < e.count; ++k)
        sum.x += e.x[k] / e.count, sum.y += e.y[k] / e.count, sum.z += e.z[k] / e.count;
    return sum;
}

// Below the lowest element, which lies within its block's face.
static double gap_below(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    double lowest = INFINITY;
    for (int k = 0; k < e.count; ++k)
        lowest = fmin(lowest, e.z[k] - sherd_world_element(world, k).radius);
    return fmax(lowest, 0.0);
}

static double fastest(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    double most = 0.0;
    for (int k = 0; k < e.count; ++k)
        most = fmax(most, hypot(hypot(e.vx[k], e.vy[k]), e.vz[k]));
    return most;
}

static void run(sherd_world *world, double rate, int from, int to)
{
    for (int f = from + 1; f <= to; ++f)
        advance(world, f / rate);
}

// What falls by a tenth of a radius of 1 mm, the gap under a packing, lands on elements that are not below its centre:
// explicit steps throw it aside by 1e-5 to 2e-5 m, long ones by at most 2.2e-5; of two blocks on each other by 7e-5.
static const double GAP = 1.1e-4, ASIDE = 5e-5, ASIDE_STACKED = 1e-4; // [m]
// Springs sag by 2e-10 m at most, tolerances of the solver move what rests by 1e-12.
static const double SAG = 1e-9, CREEP = 1e-11; // [m]
// What the solver leaves of weight, some millionths, times a step of 1 s: 3.3e-5 m/s at most.
static const double STILL = 1e-4; // [m/s]

// After `frames` all has landed; in as many again nothing moves.
static void check_rest(const solid *s, bool stacked, double rate, int frames)
{
    sherd_world *world = world_of(false);
    block low = box_of(s, 0.012, 0.006), high = box_of(s, 0.007, 0.007);
    high.pose.position.z += 0.006;
    add_block(world, &low, NULL);
    if (stacked) add_block(world, &high, NULL);
    add_floor(world, NAN);
    sherd_vec3 start = mean_position(world);
    start.z -= gap_below(world);
    run(world, rate, 0, frames);
    sherd_vec3 landed = mean_position(world);
    run(world, rate, frames, 2 * frames);
    sherd_vec3 end = mean_position(world);
    // The upper block, less than a third of the elements, falls by its own gap and the lower one's, besides.
    cr_assert(le(dbl, fabs(landed.z - start.z), stacked ? 2.0 * GAP : SAG), "E %g, %g Hz: %g m",
              s->youngs_modulus, rate, landed.z - start.z);
    double aside = hypot(landed.x - start.x, landed.y - start.y);
    cr_assert(le(dbl, aside, stacked ? ASIDE_STACKED : ASIDE), "E %g, %g Hz: %g m",
              s->youngs_modulus, rate, aside);
    cr_assert(le(dbl, distance(landed, end), CREEP), "E %g, %g Hz: %g m", s->youngs_modulus, rate,
              distance(landed, end));
    cr_assert(le(dbl, fastest(world), STILL), "E %g, %g Hz", s->youngs_modulus, rate);
    sherd_world_destroy(world);
}

Test(small_rest, a_block_rests_at_every_rate)
{
    for (int m = 0; m < SOLID_COUNT; ++m) {
        check_rest(&SOLIDS[m], false, 1.0, 1);
        if (m % 2 == 0)
            check_rest(&SOLIDS[m], false, 24.0, 2);
        else
            check_rest(&SOLIDS[m], false, 480.0, 18);
    }
}

Test(small_rest, a_block_rests_on_another)
{
    for (int m = 0; m < SOLID_COUNT; m += 2)
        check_rest(&SOLIDS[m], true, 60.0, 4);
}

// ---------------------------------------------------------------- asleep

static bool sleeps(const sherd_world *world)
{
    return sherd_world_asleep_count(world) == sherd_world_elements(world).count;
}

// What comes to rest in steps as long as frames falls asleep in them, and then time costs nothing: a frame of 10 s holds
// 1e8 explicit steps.
Test(small_rest, what_rests_falls_asleep_at_every_rate)
{
    static const double RATES[] = {0.1, 1.0, 24.0, 60.0};
    for (int k = 0; k < 4; ++k) {
        const solid *s = &SOLIDS[(2 * k + 1) % SOLID_COUNT];
        sherd_world *world = world_of(true);
        block low = box_of(s, 0.012, 0.006), high = box_of(s, 0.007, 0.007);
        high.pose.position.z += 0.006;
        add_block(world, &low, NULL);
        if (k % 2 == 1) add_block(world, &high, NULL);
        add_floor(world, NAN);
        int frames = RATES[k] > 1.0 ? 12 : 2;
        run(world, RATES[k], 0, frames);
        cr_assert(sleeps(world), "E %g, %g Hz", s->youngs_modulus, RATES[k]);
        cr_assert(eq(dbl, fastest(world), 0.0));
        sherd_vec3 at = mean_position(world);
        int64_t steps = sherd_world_step_count(world);
        run(world, RATES[k], frames, 2 * frames);
        cr_assert(eq(dbl, distance(at, mean_position(world)), 0.0));
        cr_assert(eq(int, (int)(sherd_world_step_count(world) - steps), frames));
        // 12 blocks of 33 elements closed to 0.3 %.
        cr_assert(le(dbl, fabs(sherd_world_energy(world).balance_error), 0.01));
        sherd_world_destroy(world);
    }
}

// Four blocks on each other, each standing on few elements of the one below: nothing but inertia resists their slips, all
// of which turn round where they come to rest. Until all sleeps long steps take 6800 iterations; searches that were cut short
// at every turn made it 18,000.
Test(small_rest, a_stack_of_blocks_comes_to_rest_in_long_steps)
{
    static const sherd_vec3 SIZES[] = {{0.0245, 0.0222, 0.01225},
                                       {0.0197, 0.0172, 0.00987},
                                       {0.0182, 0.0154, 0.01453},
                                       {0.0167, 0.0150, 0.01670}};
    const solid steel = {200e9, 7850, 4e8, 0.4};
    sherd_world *world = world_of(true);
    double top = 0.0;
    for (int k = 0; k < 4; ++k) {
        block b = box_of(&steel, 0.01, 0.01);
        b.size = SIZES[k], b.radius = 2e-3;
        b.pose.position.z = top + 0.5 * b.size.z;
        if (k == 3) b.pose.rotation = (sherd_quat){0.0, 0.0, sin(0.3626), cos(0.3626)};
        add_block(world, &b, NULL);
        top += b.size.z;
    }
    add_floor(world, NAN);
    advance(world, 2.0);
    cr_assert(sleeps(world));
    cr_assert(le(dbl, fabs(sherd_world_energy(world).balance_error), 0.01));
    sherd_solver_counts counts = sherd_world_solver_counts(world);
    cr_assert(le(i64, counts.newton_iterations, 12000));
    cr_assert(le(i64, counts.explicit_steps, 50000));
    sherd_world_destroy(world);
}

// Elements of two stacked blocks, one turned, are strained by less than single precision of their angle is.
Test(small_rest, blocks_turned_against_each_other_rest)
{
    for (int m = 0; m < 2; ++m) {
        sherd_world *world = world_of(true);
        block low = box_of(&SOLIDS[m], 0.010, 0.006), high = low;
        high.pose.position.z = 0.009;
        high.pose.rotation = (sherd_quat){0.0, 0.0, sin(0.26), cos(0.26)};
        add_block(world, &low, NULL);
        add_block(world, &high, NULL);
        add_floor(world, NAN);
        run(world, 2000.0, 0, 2);
        cr_assert(le(dbl, fabs(sherd_world_energy(world).balance_error), 0.01));
        run(world, 24.0, 0, 12);
        cr_assert(sleeps(world), "E %g", SOLIDS[m].youngs_modulus);
        cr_assert(le(dbl, fabs(sherd_world_energy(world).balance_error), 0.01));
        sherd_world_destroy(world);
    }
}

static double highest(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    double most = -INFINITY;
    for (int k = 0; k < e.count; ++k)
        most = fmax(most, e.z[k] + sherd_world_element(world, k).radius);
    return most;
}

// A plate comes down on a block that sleeps, late in a frame, and presses it by 20 um; returns how high its elements are
// then on average.
static double pressed(int threads, double rate, double *slept_at)
{
    sherd_error error;
    sherd_world_def def = def_of(CHOSEN, (sherd_vec3){0, 0, -GRAVITY});
    def.threads = threads;
    def.sleep = true;
    sherd_world *world = create(&def);
    block b = box_of(&SOLIDS[4], 0.012, 0.006);
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.03, 0.03, 0.004}, &error);
    sherd_obstacle_def plate = sherd_obstacle_def_default();
    sherd_motion_key keys[] = {{.time = 0.0},
                               {.time = 1.7},
                               {.time = 1.9, .translation = {0.004, 0.0, -0.01}},
                               {.time = 1.95, .translation = {0.006, 0.0, -0.01}}};
    plate.kind = SHERD_OBSTACLE_DRIVEN;
    plate.shape = box;
    plate.pose.position.z = highest(world) - gap_below(world) - 2e-5 + 0.01 + 0.002;
    plate.motion.keys = keys;
    plate.motion.key_count = 4;
    cr_assert(sherd_world_add_obstacle(world, &plate, &error).index1 != 0, "%s", error.what);
    run(world, rate, 0, (int)rate);
    *slept_at = sleeps(world) ? mean_position(world).z : NAN;
    run(world, rate, (int)rate, 2 * (int)rate);
    double height = mean_position(world).z;
    cr_assert(le(dbl, fabs(sherd_world_energy(world).balance_error), 0.01));
    sherd_world_destroy(world);
    sherd_shape_destroy(box);
    return height;
}

Test(small_rest, a_sleeper_wakes_for_what_comes_late_in_a_frame)
{
    double slept[3], height[3];
    height[0] = pressed(1, 1.0, &slept[0]);
    height[1] = pressed(2, 1.0, &slept[1]);
    height[2] = pressed(1, 20.0, &slept[2]);
    for (int k = 0; k < 3; ++k)
        cr_assert(lt(dbl, height[k], slept[k] - 5e-6), "%g, %g", height[k], slept[k]);
    cr_assert(eq(dbl, height[0], height[1]));
    cr_assert(epsilon_eq(dbl, height[0], height[2], 2e-6));
}

// `gap`: that below the block at first [m].
static double slide(const solid *s, stepping by, double rate, double *gap)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0, 0, -GRAVITY});
    def.threads = 1;
    sherd_world *world = create(&def);
    block b = box_of(s, 0.010, 0.006);
    b.velocity.x = 0.2;
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    double start = mean_position(world).x;
    *gap = gap_below(world);
    run(world, rate, 0, (int)(0.1 * rate));
    double way = mean_position(world).x - start;
    sherd_world_destroy(world);
    return way;
}

// What falls first and does not rebound loses friction's share of the speed that it lands with at once [m].
static double way_without_rebound(const solid *s, double speed, double gap)
{
    double fall = sqrt(2.0 * gap / GRAVITY);
    double left = speed - s->friction * GRAVITY * fall;
    return speed * fall + left * left / (2.0 * s->friction * GRAVITY);
}

// Euler's steps slide at the speed of their end: less far by half a step's way at the first speed, and steps are as long
// as frames at most. They land without a rebound, explicit ones rebound and slide less than 1 % farther.
Test(small_rest, a_block_slides_as_far_as_with_explicit_steps)
{
    for (int m = 4; m < SOLID_COUNT; ++m) {
        double gap, longest = slide(&SOLIDS[m], EXPLICIT, 240.0, &gap);
        double right = way_without_rebound(&SOLIDS[m], 0.2, gap);
        cr_assert(le(dbl, right, longest));
        cr_assert(le(dbl, longest, 1.01 * right));
        for (double rate = 240.0; rate < 2000.0; rate *= 2.0) {
            double way = slide(&SOLIDS[m], CHOSEN, rate, &gap);
            cr_assert(ge(dbl, way, right - 0.2 / rate / 2.0), "E %g, %g Hz: %g, %g",
                      SOLIDS[m].youngs_modulus, rate, way, right);
            cr_assert(le(dbl, way, longest), "E %g, %g Hz: %g, %g", SOLIDS[m].youngs_modulus, rate,
                      way, longest);
        }
    }
}
