// Worlds with each contact potential: collisions as known, barriers that hold, bonds that break while compressed, and
// what has to be the same for all of them.
#include "physics/methods.h"
#include "world/world_def.h"

#include <string.h>

static const double RADIUS = 0.01, YOUNG = 1e7, POISSON = 0.25, SPEED = 1.0; // of closing

static sherd_material_def elastic(void)
{
    sherd_material_def m = sherd_material_def_default();
    m.youngs_modulus = YOUNG;
    m.shear_modulus = YOUNG / (2.0 * (1.0 + POISSON));
    m.density = 1000.0;
    m.restitution = 1.0;
    m.friction = 0.0;
    return m;
}

static double mass_of_ball(void)
{
    return 1000.0 * 4.0 / 3.0 * M_PI * pow(RADIUS, 3.0);
}

static void add_ball(sherd_world *world, double x, double z, sherd_vec3 velocity)
{
    sherd_error error;
    sherd_material_def m = elastic();
    double y = 0.0;
    sherd_body_def def = sherd_body_def_default();
    def.count = 1;
    def.x = &x, def.y = &y, def.z = &z, def.radius = &RADIUS;
    def.velocity = velocity;
    def.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &def, &error).index1 != 0, "%s", error.what);
}

typedef enum partner { BALL, FLOOR } partner;

// A ball that is about to meet another one, or a floor, with SPEED.
static void add_meeting(sherd_world *world, partner with, double gap)
{
    if (with == FLOOR) {
        add_ball(world, 0.0, RADIUS + gap, (sherd_vec3){0.0, 0.0, -SPEED});
        add_floor(world, NAN);
        return;
    }
    add_ball(world, 0.0, 0.0, (sherd_vec3){0.0, 0.0, 0.5 * SPEED});
    add_ball(world, 0.0, 2.0 * RADIUS + gap, (sherd_vec3){0.0, 0.0, -0.5 * SPEED});
}

static double overlap_in(const sherd_world *world, partner with)
{
    sherd_element_view e = sherd_world_elements(world);
    return with == FLOOR ? RADIUS - e.z[0] : 2.0 * RADIUS - (e.z[1] - e.z[0]);
}

// ---------------------------------------------------------------- Hertz

// T = 2.87 (m^2/(R E*^2 v))^(1/5), depth T v/2.943.      [Johnson, Contact Mechanics, 1985, 11.4]
static double hertz_time(partner with)
{
    double m = mass_of_ball() * (with == FLOOR ? 1.0 : 0.5),
           radius = RADIUS * (with == FLOOR ? 1.0 : 0.5),
           modulus = YOUNG / (1.0 - POISSON * POISSON) * (with == FLOOR ? 1.0 : 0.5);
    return 2.8683 * pow(m * m / (radius * modulus * modulus * SPEED), 0.2);
}

static void check_hertz(sherd_method method, partner with, double steps, double tolerance)
{
    double expected = hertz_time(with), frame = expected / steps, deepest = 0.0, touched = 0.0;
    sherd_world_def def = def_of((stepping){.method = method}, (sherd_vec3){0});
    def.contact_potential = SHERD_CONTACT_HERTZ;
    if (method == SHERD_METHOD_IMPLICIT) def.time_step = frame;
    sherd_world *world = create(&def);
    add_meeting(world, with, 0.05 * expected * SPEED);
    set_frame(world, (stepping){.method = method}, frame);
    for (int k = 1; k < 1.3 * steps; ++k) {
        advance(world, k * frame);
        double overlap = overlap_in(world, with);
        deepest = fmax(deepest, overlap);
        touched += overlap > 0.0 ? frame : 0.0;
    }
    cr_assert(epsilon_eq(dbl, touched / expected, 1.0, 2.0 / steps + tolerance), "%d %d", method,
              with);
    cr_assert(epsilon_eq(dbl, deepest / (expected * SPEED / 2.9432), 1.0, tolerance), "%d %d",
              method, with);
    sherd_world_destroy(world);
}

// Velocity Verlet in many steps is exact to what the number of frames resolves. Implicit Euler damps by
// omega^2 dt/2 a second: with omega T = pi, 1.6 % in 500 steps up to the deepest point.
Test(contact_laws, hertz_collisions_are_as_known)
{
    for (int with = BALL; with <= FLOOR; ++with) {
        check_hertz(SHERD_METHOD_EXPLICIT, (partner)with, 500.0, 1e-3);
        check_hertz(SHERD_METHOD_IMPLICIT, (partner)with, 500.0, 0.016);
    }
}

// ---------------------------------------------------------------- unlike materials

typedef struct ball {
    double radius, youngs_modulus, poissons_ratio, density;
} ball;

static double mass_of(const ball *b)
{
    return b->density * 4.0 / 3.0 * M_PI * pow(b->radius, 3.0);
}

static void add_unlike(sherd_world *world, const ball *b, double z, double speed)
{
    sherd_error error;
    sherd_material_def m = elastic();
    double zero = 0.0;
    m.youngs_modulus = b->youngs_modulus, m.density = b->density;
    m.shear_modulus = b->youngs_modulus / (2.0 * (1.0 + b->poissons_ratio));
    sherd_body_def def = sherd_body_def_default();
    def.count = 1;
    def.x = def.y = &zero, def.z = &z, def.radius = &b->radius;
    def.velocity.z = speed;
    def.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &def, &error).index1 != 0, "%s", error.what);
}

// 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b, 1/R = 1/R_a + 1/R_b, 1/m likewise: 11.4 of Johnson's, as above.
static double hertz_depth(const ball *a, const ball *b)
{
    double radius = 1.0 / (1.0 / a->radius + 1.0 / b->radius),
           m = 1.0 / (1.0 / mass_of(a) + 1.0 / mass_of(b)),
           modulus = 1.0 / ((1.0 - a->poissons_ratio * a->poissons_ratio) / a->youngs_modulus +
                            (1.0 - b->poissons_ratio * b->poissons_ratio) / b->youngs_modulus);
    return pow(15.0 / 16.0 * m * SPEED * SPEED / (modulus * sqrt(radius)), 0.4);
}

// A column of the section of the smaller one, from centre to centre, of the harmonic mean of both moduli: docs/theory/physics.md.
static double linear_depth(const ball *a, const ball *b)
{
    double r = fmin(a->radius, b->radius),
           modulus = 2.0 / (1.0 / a->youngs_modulus + 1.0 / b->youngs_modulus),
           k = modulus * M_PI * r * r / (a->radius + b->radius);
    return SPEED * sqrt(1.0 / (1.0 / mass_of(a) + 1.0 / mass_of(b)) / k);
}

static void check_unlike(sherd_contact_potential_kind potential, const ball *a, const ball *b,
                         double depth)
{
    sherd_world_def def = def_of(EXPLICIT, (sherd_vec3){0});
    def.contact_potential = potential;
    sherd_world *world = create(&def);
    double frame = depth / SPEED / 200.0, deepest = 0.0, apart = a->radius + b->radius;
    add_unlike(world, a, 0.0, 0.5 * SPEED);
    add_unlike(world, b, apart + 0.01 * depth, -0.5 * SPEED);
    set_frame(world, EXPLICIT, frame);
    for (int k = 1; k < 500; ++k) {
        advance(world, k * frame);
        sherd_element_view e = sherd_world_elements(world);
        deepest = fmax(deepest, apart - (e.z[1] - e.z[0]));
    }
    // Steps of 1/200 of the way: the deepest point is seen to 1e-5.
    cr_assert(epsilon_eq(dbl, deepest / depth, 1.0, 1e-3), "%d: %g", (int)potential,
              deepest / depth);
    sherd_world_destroy(world);
}

Test(contact_laws, unlike_balls_are_as_soft_as_both)
{
    static const ball SOFT = {0.01, 1e7, 0.25, 1000.0}, STIFF = {0.006, 6e7, 0.05, 3000.0},
                      BIG = {0.02, 3e6, 0.4, 800.0};
    const ball *pair[][2] = {{&SOFT, &STIFF}, {&STIFF, &BIG}, {&BIG, &SOFT}};
    for (int k = 0; k < 3; ++k) {
        const ball *a = pair[k][0], *b = pair[k][1];
        check_unlike(SHERD_CONTACT_HERTZ, a, b, hertz_depth(a, b));
        check_unlike(SHERD_CONTACT_LINEAR, a, b, linear_depth(a, b));
    }
}

// ---------------------------------------------------------------- barriers

static const double WIDTH = 0.2; // [radii]

// Ours: never deeper than the width, and thrown back.
static void check_barrier_holds(partner with, double way, double gap)
{
    double width = WIDTH * RADIUS, dt = way * width / SPEED;
    sherd_world_def def =
        def_of((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_EULER}, (sherd_vec3){0});
    def.contact_potential = SHERD_CONTACT_BARRIER;
    def.contact_barrier = WIDTH;
    def.time_step = dt;
    sherd_world *world = create(&def);
    add_meeting(world, with, gap * dt * SPEED);
    double impulse = sherd_world_momentum(world).z;
    for (int k = 1; k <= 12; ++k) {
        advance(world, k * dt);
        cr_assert(lt(dbl, overlap_in(world, with), width), "%d, v h = %g widths: step %d", with,
                  way, k);
        if (with == BALL)
            cr_assert(epsilon_eq(dbl, sherd_world_momentum(world).z, impulse,
                                 1e-12 * mass_of_ball() * SPEED));
    }
    sherd_world_destroy(world);
}

// One Newton step from the prediction, in each step, with a stiffness beyond all bounds: what is pressed in widths,
// as [RBDEM] Algorithm 1 goes on.                                       docs/theory/physics.md 2, slip 19
static bool linearised_passes(double way)
{
    double pressed = 0.0, moved = way;
    for (int step = 0; step < 100 && moved > 0.0; ++step) {
        double aim = pressed + moved;
        if (aim >= 1.0) return true;
        double ratio = aim / (1.0 - aim), log_left = log1p(-aim);
        double back = aim * (ratio - 2.0 * log_left) / (ratio * (ratio + 4.0) - 2.0 * log_left);
        moved = aim - back - pressed;
        pressed = aim - back;
    }
    return false;
}

Test(contact_laws, barriers_let_nothing_through_where_one_newton_step_does)
{
    cr_assert(eq(int, linearised_passes(0.5), false));
    const double ways[] = {0.3, 0.6, 0.67, 0.9, 1.5, 3.0, 7.0, 30.0};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
        cr_assert(eq(int, linearised_passes(ways[k]), ways[k] > 0.66));
        for (int with = BALL; with <= FLOOR; ++with)
            for (double gap = 0.0; gap < 1.0; gap += 0.3)
                check_barrier_holds((partner)with, ways[k], gap);
    }
}

// What explicit steps have of it goes on beyond its knee with the stiffness of the linear spring, by so much that all
// energy is stored there.
Test(contact_laws, barriers_of_explicit_steps_go_on_as_springs)
{
    static const double NARROW = 0.05; // [radii]
    sherd_world_def def = def_of(EXPLICIT, (sherd_vec3){0});
    def.contact_potential = SHERD_CONTACT_BARRIER;
    def.contact_barrier = NARROW;
    sherd_world *world = create(&def);
    add_meeting(world, FLOOR, 1e-4);
    double dt = 2e-6, deepest = 0.0, width = NARROW * RADIUS;
    set_frame(world, EXPLICIT, dt);
    for (int k = 1; k <= 3000; ++k) {
        advance(world, k * dt);
        deepest = fmax(deepest, overlap_in(world, FLOOR));
    }
    // k = E pi r; from 0.24819 w on, 1/2 k (0.0175719 w^2 + 0.223533 w e + e^2) = 1/2 m v^2.
    double k = YOUNG * M_PI * RADIUS, square = mass_of_ball() * SPEED * SPEED / k,
           half = 0.5 * 0.223533 * width,
           e = sqrt(half * half + square - 0.0175719 * width * width) - half;
    cr_assert(lt(dbl, 0.24819 * width, deepest));
    cr_assert(epsilon_eq(dbl, deepest / (0.24819 * width + e), 1.0, 1e-4));
    cr_assert(epsilon_eq(dbl, sherd_world_elements(world).vz[0], SPEED, 1e-6));
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- bonds that break while compressed

static sherd_world *squeezed_pair(const sherd_world_def *def)
{
    sherd_error error;
    sherd_world *world = create(def);
    sherd_material_def m = elastic();
    m.breakage = SHERD_BREAKAGE_ABSOLUTE;
    m.tensile_strength = 0.01 * YOUNG; // at a strain of 1 %
    m.bond_damping = 0.0;
    double x[2] = {0.0, 2.0 * RADIUS}, none[2] = {0.0, 0.0}, r[2] = {RADIUS, RADIUS};
    sherd_body_def body = sherd_body_def_default();
    body.count = 2;
    body.x = x, body.y = body.z = none, body.radius = r;
    body.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    sherd_driver_def pull = sherd_driver_def_default();
    pull.drive = SHERD_DRIVE_FORCE;
    // What breaks it in the middle of 250 stability limits: they close little in the step in which it breaks.
    static const double times[] = {0.0, 0.02}, factors[] = {0.0, 1.0};
    pull.force_key_count = 2;
    pull.force_times = times;
    pull.force_factors = factors;
    pull.force.x = 0.02 * YOUNG * M_PI * RADIUS * RADIUS;
    drive_slab(world, -RADIUS, 0.5 * RADIUS, pull);
    pull.force.x = -pull.force.x;
    drive_slab(world, 1.5 * RADIUS, 3.0 * RADIUS, pull);
    return world;
}

// Contact neither stores nor gives anything that the drivers don't do as work after the break: less by far than the
// bond had.
static void check_squeezed(sherd_contact_potential_kind potential, stepping by)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0});
    def.contact_potential = potential;
    def.contact_barrier = potential == SHERD_CONTACT_BARRIER ? WIDTH : 0.0;
    sherd_world *world = squeezed_pair(&def);
    double frame = 0.5 * limit_of(world), kinetic = 0.0;
    if (by.method == SHERD_METHOD_IMPLICIT) frame = by.limits * limit_of(world);
    set_frame(world, by, frame);
    sherd_energy e = sherd_world_energy(world);
    double work = 0.0;
    int k = 0;
    for (; e.dissipated_fracture == 0.0 && k < 10000; ++k) {
        kinetic = e.kinetic, work = e.work;
        advance(world, (k + 1) * frame);
        e = sherd_world_energy(world);
    }
    double released = e.dissipated_fracture;
    cr_assert(lt(dbl, 0.0, released));
    for (int end = k + 100; k < end; ++k) {
        // Of the bond's energy, nothing but what it changed by in the last step.
        double gained = e.kinetic + e.contact - kinetic - (e.work - work);
        cr_assert(lt(dbl, gained, 0.05 * released), "%d by %d: %g of %g J", potential, by.method,
                  gained, released);
        advance(world, (k + 1) * frame);
        e = sherd_world_energy(world);
    }
    sherd_world_destroy(world);
}

Test(contact_laws, bonds_that_break_compressed_throw_nothing)
{
    for (int p = 0; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        check_squeezed((sherd_contact_potential_kind)p, EXPLICIT);
        check_squeezed((sherd_contact_potential_kind)p, euler(2.0));
    }
}

// ---------------------------------------------------------------- what holds for all

// Two soft blocks that meet askew above a floor, and break.
static sherd_world *breaking(int potential, sherd_method method, int threads, bool floor)
{
    sherd_world_def def = def_of((stepping){.method = method}, (sherd_vec3){0});
    def.contact_potential = (sherd_contact_potential_kind)potential;
    def.contact_barrier = potential == SHERD_CONTACT_BARRIER ? WIDTH : 0.0;
    def.threads = threads;
    if (floor) def.gravity.z = -9.81;
    sherd_world *world = create(&def);
    block b = block_default();
    b.size = (sherd_vec3){0.02, 0.016, 0.006};
    b.material.youngs_modulus = 1e7;
    b.material.shear_modulus = 4e6;
    b.material.tensile_strength = b.material.shear_strength = 1e5;
    b.pose.position.z = 0.006;
    add_block(world, &b, NULL);
    b.pose.position = (sherd_vec3){0.003, 0.002, 0.016};
    b.pose.rotation = (sherd_quat){sin(0.1), 0.0, 0.0, cos(0.1)};
    b.velocity.z = -4.0;
    add_block(world, &b, NULL);
    if (floor) add_floor(world, NAN);
    return world;
}

Test(contact_laws, energy_and_momenta_are_accounted_for)
{
    for (int p = 0; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        sherd_world *world = breaking(p, SHERD_METHOD_EXPLICIT, 2, false);
        sherd_vec3 momentum = sherd_world_momentum(world),
                   angular = sherd_world_angular_momentum(world);
        double largest = fabs(momentum.z);
        set_frame(world, EXPLICIT, 1e-3);
        advance(world, 0.005);
        cr_assert(lt(int, 10, (int)sherd_world_bonds(world).broken_count));
        // What explicit blocks that break are off by in other tests, in part single precision of bonds.
        cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 2e-3), "%d", p);
        cr_assert(lt(dbl, distance(sherd_world_momentum(world), momentum), 1e-10 * largest));
        cr_assert(
            lt(dbl, distance(sherd_world_angular_momentum(world), angular), 1e-8 * largest * 0.02));
        sherd_world_destroy(world);
    }
}

static uint64_t hash_after(int potential, sherd_method method, int threads, bool resume)
{
    sherd_world *world = breaking(potential, method, threads, true);
    set_frame(world, (stepping){.method = method}, 1e-3);
    advance(world, 0.002);
    if (resume) {
        sherd_error error;
        void *state;
        size_t size;
        cr_assert(eq(int, sherd_world_save(world, &state, &size, &error), SHERD_OK));
        sherd_world *other = breaking(potential, method, threads, true);
        cr_assert(eq(int, sherd_world_restore(other, state, size, &error), SHERD_OK), "%s",
                  error.what);
        sherd_world_free_state(state);
        sherd_world_destroy(world);
        world = other;
    }
    advance(world, 0.004);
    uint64_t hash = sherd_world_state_hash(world);
    sherd_world_destroy(world);
    return hash;
}

Test(contact_laws, same_bits_for_any_number_of_threads_and_after_resume)
{
    for (int p = SHERD_CONTACT_HERTZ; p < SHERD_CONTACT_POTENTIAL_COUNT; ++p) {
        for (int m = 0; m < 2; ++m) {
            sherd_method method = m == 0 ? SHERD_METHOD_EXPLICIT : SHERD_METHOD_AUTO;
            uint64_t one = hash_after(p, method, 1, false);
            cr_assert(eq(u64, one, hash_after(p, method, 3, false)), "%d by %d", p, method);
            cr_assert(eq(u64, one, hash_after(p, method, 2, true)), "%d by %d", p, method);
        }
    }
}

Test(contact_laws, a_barrier_needs_a_width)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.contact_potential = SHERD_CONTACT_BARRIER;
    cr_assert(eq(int, sherd_world_def_check(&def, &error), SHERD_ERROR_INPUT));
    cr_assert(eq(str, error.where, "contact_potential"));
    def.contact_barrier = 0.2;
    cr_assert(eq(int, sherd_world_def_check(&def, &error), SHERD_OK));
    def.contact_potential = SHERD_CONTACT_POTENTIAL_COUNT;
    cr_assert(eq(int, sherd_world_def_check(&def, &error), SHERD_ERROR_INPUT));
}
