// The method that chooses loses nothing that rings and turns nothing askew: what vibrates by more than 2 % of its
// strength keeps its energy, for no more than explicit steps cost, and a free body tumbles as it should.
#include "block.h"

// ---------------------------------------------------------------- bars

typedef struct bar {
    double length, width, modulus, strength; // [m], [Pa]
    double amplitude;                        // of its stress, over the strength
    bool along;                              // it is stretched, not bent
    bool neighbour;                          // another body lies beside it on a floor
} bar;

static double wave_speed(const bar *b)
{
    return sqrt(b->modulus / 1000.0);
}

// Ten periods of its slowest mode of that kind, clamped at one end.                          [s]
static double ten_periods(const bar *b)
{
    double bending = 3.516 * wave_speed(b) * b->width / sqrt(12.0) / (b->length * b->length),
           stretching = M_PI / 2.0 * wave_speed(b) / b->length;
    return 20.0 * M_PI / (b->along ? stretching : bending);
}

static block block_of(const bar *b)
{
    block made = block_default();
    made.size = (sherd_vec3){b->length, b->width, b->width};
    made.material.density = 1000.0;
    made.material.youngs_modulus = b->modulus;
    made.material.shear_modulus = 0.4 * b->modulus;
    made.material.tensile_strength = made.material.shear_strength = b->strength;
    made.material.bond_damping = 0.0;
    return made;
}

static void add_neighbour(sherd_world *world, const bar *b)
{
    block lying = block_of(b);
    lying.size = (sherd_vec3){0.008, 0.008, 0.006};
    lying.pose.position = (sherd_vec3){0.0, 0.03, 0.003};
    add_block(world, &lying, NULL);
    add_floor(world, 0.3);
}

// Clamped at its lower x end, it starts to swing with a velocity whose stress is known: rho c v along, sqrt(3) rho c v
// of its tip across.
static sherd_world *create(const bar *b, sherd_method method)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.method = method;
    def.threads = 1;
    def.gravity = (sherd_vec3){0.0, 0.0, b->neighbour ? -9.81 : 0.0};
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world != NULL, "%s", error.what);
    double speed = b->amplitude * b->strength / (1000.0 * wave_speed(b));
    block swinging = block_of(b);
    swinging.pose.position = (sherd_vec3){0.5 * b->length, 0.0, 0.1};
    if (b->along)
        swinging.velocity.x = speed;
    else // its middle's
        swinging.velocity.z = 0.5 * speed / sqrt(3.0);
    if (!b->along) swinging.angular_velocity.y = -speed / sqrt(3.0) / b->length;
    sherd_body_id body;
    add_block(world, &swinging, &body);
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.006, 0.1, 0.1}, &error);
    sherd_driver_def clamp = sherd_driver_def_default();
    clamp.region = (sherd_region){body, box, {{0.0, 0.0, 0.1}, {0.0, 0.0, 0.0, 1.0}}};
    clamp.drive = SHERD_DRIVE_MOTION;
    cr_assert(sherd_world_add_driver(world, &clamp, &error).index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
    if (b->neighbour) add_neighbour(world, b);
    return world;
}

typedef struct swung {
    double kept;  // of the energy that swings, after ten periods
    double taken; // by integration, over the largest energy
    double work;  // [explicit steps]
    int64_t explicit_steps;
} swung;

static double energy_of(sherd_world *world)
{
    sherd_energy e = sherd_world_energy(world);
    return e.kinetic + e.elastic;
}

// Iterations as docs/theory/automatic.md counts them.
static double work_of(const sherd_solver_counts *n)
{
    return (double)n->explicit_steps + 6.0 * (double)(n->newton_iterations + n->implicit_steps) +
           4.0 * (double)n->linear_iterations;
}

static swung swing(const bar *b, sherd_method method)
{
    enum { STOPS = 20 };
    sherd_error error;
    sherd_world *world = create(b, method);
    double start = energy_of(world), end = ten_periods(b);
    for (int k = 1; k <= STOPS; ++k)
        cr_assert(eq(int, sherd_world_advance(world, end * k / STOPS, &error), SHERD_OK), "%s",
                  error.what);
    sherd_solver_counts n = sherd_world_solver_counts(world);
    sherd_energy e = sherd_world_energy(world);
    swung result = {energy_of(world) / start, e.dissipated_integration / start, work_of(&n),
                    n.explicit_steps};
    cr_assert(fabs(e.balance_error) < 0.005, "%g", e.balance_error);
    sherd_world_destroy(world);
    return result;
}

static void check_kept(const bar *b, const char *what)
{
    swung exact = swing(b, SHERD_METHOD_EXPLICIT), chosen = swing(b, SHERD_METHOD_AUTO);
    cr_log_info("%s: kept %.4f, explicit %.4f; integration took %.4f; work %.0f, explicit %lld",
                what, chosen.kept, exact.kept, chosen.taken, chosen.work,
                (long long)exact.explicit_steps);
    // docs/theory/automatic.md promises both. Regions make a whole of bodies that lie apart: their steps are those of each.
    cr_assert(chosen.kept > 0.95 * exact.kept, "%s: kept %g, explicit %g", what, chosen.kept,
              exact.kept);
    cr_assert(chosen.kept < 1.005 * exact.kept, "%s: kept %g, explicit %g", what, chosen.kept,
              exact.kept);
    double parts = b->neighbour ? 2.0 : 1.0;
    cr_assert(chosen.work <= 1.05 * parts * (double)exact.explicit_steps,
              "%s: work of %g explicit steps, not %lld", what, chosen.work,
              (long long)exact.explicit_steps);
}

Test(auto_ringing, bars_that_bend_keep_their_energy)
{
    check_kept(&(bar){0.04, 0.008, 1e9, 10e6, 0.23, false, false}, "short");
    check_kept(&(bar){0.06, 0.010, 1e9, 10e6, 0.5, false, false}, "long, half of its strength");
    check_kept(&(bar){0.05, 0.006, 1e8, 2e6, 0.05, false, false}, "soft, 5 %");
    check_kept(&(bar){0.05, 0.010, 1e10, 40e6, 0.1, false, false}, "stiff, 10 %");
}

Test(auto_ringing, bars_that_stretch_keep_their_energy)
{
    check_kept(&(bar){0.06, 0.008, 1e9, 10e6, 0.3, true, false}, "30 %");
    check_kept(&(bar){0.09, 0.006, 1e8, 1e6, 0.05, true, false}, "5 %");
}

Test(auto_ringing, a_bar_rings_beside_a_body_that_lies_still)
{
    check_kept(&(bar){0.04, 0.008, 1e9, 10e6, 0.23, false, true}, "beside another");
}

// What stresses by less may be lost: long steps are what the method is for.
Test(auto_ringing, weak_vibrations_cost_little)
{
    bar weak = {0.06, 0.008, 1e9, 10e6, 0.005, false, false};
    swung exact = swing(&weak, SHERD_METHOD_EXPLICIT), chosen = swing(&weak, SHERD_METHOD_AUTO);
    cr_assert(chosen.work < 0.2 * (double)exact.explicit_steps,
              "work of %g explicit steps, of %lld", chosen.work, (long long)exact.explicit_steps);
    cr_assert(chosen.taken > -0.005, "%g", chosen.taken);
}

// At 2.5 % of its strength steps change to and fro: samples of vibrations are a part of the state.
Test(auto_ringing, a_resumed_run_goes_on_alike)
{
    sherd_error error;
    bar b = {0.05, 0.008, 1e8, 2e6, 0.03, false, false};
    double end = 0.3 * ten_periods(&b);
    sherd_world *straight = create(&b, SHERD_METHOD_AUTO), *again = create(&b, SHERD_METHOD_AUTO);
    for (int k = 1; k <= 6; ++k) {
        void *state;
        size_t size;
        cr_assert(eq(int, sherd_world_advance(straight, end * k / 6, &error), SHERD_OK));
        if (k > 1) cr_assert(eq(int, sherd_world_advance(again, end * k / 6, &error), SHERD_OK));
        cr_assert(k == 1 || sherd_world_state_hash(again) == sherd_world_state_hash(straight),
                  "after stop %d", k);
        cr_assert(eq(int, sherd_world_save(straight, &state, &size, &error), SHERD_OK));
        cr_assert(eq(int, sherd_world_restore(again, state, size, &error), SHERD_OK), "%s",
                  error.what);
        sherd_world_free_state(state);
    }
    cr_assert(sherd_world_solver_counts(straight).switches > 0);
    sherd_world_destroy(straight);
    sherd_world_destroy(again);
}

// ---------------------------------------------------------------- tumbling

static const double FLIPPED =
    0.16; // the time after which it has turned over about its middle axis [s]

static sherd_world *tumbling(sherd_method method, bool sleep)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.method = method;
    def.sleep = sleep;
    def.threads = 1;
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world != NULL, "%s", error.what);
    block b = block_default();
    b.size = (sherd_vec3){0.03, 0.02, 0.01};
    b.radius = 2e-3;
    b.material.density = 1000.0;
    b.material.youngs_modulus = 100e6;
    b.material.tensile_strength = b.material.shear_strength = 5e6;
    b.angular_velocity = (sherd_vec3){1.0, 100.0, 0.5};
    add_block(world, &b, NULL);
    return world;
}

// From one state to the other [rad].
static double turn_between(sherd_world *a, sherd_world *b)
{
    sherd_element_view p = sherd_world_elements(a), q = sherd_world_elements(b);
    double dot = p.qx[0] * q.qx[0] + p.qy[0] * q.qy[0] + p.qz[0] * q.qz[0] + p.qw[0] * q.qw[0];
    return 2.0 * acos(fmin(fabs(dot), 1.0));
}

static void check_flip(bool sleep, double most)
{
    sherd_error error;
    sherd_world *exact = tumbling(SHERD_METHOD_EXPLICIT, sleep),
                *chosen = tumbling(SHERD_METHOD_AUTO, sleep);
    double start = energy_of(chosen);
    cr_assert(eq(int, sherd_world_advance(exact, FLIPPED, &error), SHERD_OK));
    for (int k = 1; k <= 16; ++k) {
        cr_assert(eq(int, sherd_world_advance(chosen, FLIPPED * k / 16, &error), SHERD_OK));
        double now = energy_of(chosen);
        cr_assert(now < 1.0005 * start, "%g J of %g", now, start);
    }
    // It has flipped: spin about the body's own y is the other way round.
    sherd_element_view e = sherd_world_elements(exact);
    double own_y = 2.0 * (e.qx[0] * e.qy[0] + e.qw[0] * e.qz[0]) * e.wx[0] +
                   (1.0 - 2.0 * (e.qx[0] * e.qx[0] + e.qz[0] * e.qz[0])) * e.wy[0] +
                   2.0 * (e.qy[0] * e.qz[0] - e.qw[0] * e.qx[0]) * e.wz[0];
    double off = turn_between(exact, chosen);
    cr_log_info("off by %g rad, spin about its own y %g rad/s", off, own_y);
    cr_assert(own_y < -90.0, "%g rad/s", own_y);
    cr_assert(off < most, "off by %g rad", off);
    sherd_energy end = sherd_world_energy(chosen);
    cr_assert(fabs(end.dissipated_integration) < 5e-4 * start, "%g", end.dissipated_integration);
    sherd_world_destroy(exact);
    sherd_world_destroy(chosen);
}

// Asleep from the start, it moves as a rigid body does: some degrees off what explicit steps make of it at most.
Test(auto_ringing, a_free_body_flips_when_it_should)
{
    check_flip(true, 0.05);
}

Test(auto_ringing, a_free_body_that_may_not_sleep_flips_when_it_should)
{
    check_flip(false, 0.05);
}
