// What swings and rocks on contacts loses by the default method what it loses with explicit steps.
#include "physics/methods.h"

#include <sherd/shape.h>

#define GRAVITY 9.81

static const stepping CHOSEN = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};

static sherd_world *world_by_weight(stepping by)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0, 0, -GRAVITY});
    def.threads = 1;
    return create(&def);
}

static sherd_material_def soft(double friction)
{
    sherd_material_def m = sherd_material_def_default();
    m.youngs_modulus = 50e6, m.shear_modulus = 20e6;
    m.tensile_strength = m.shear_strength = 1e6;
    m.density = 1000.0, m.friction = friction;
    return m;
}

// Turned by `angle` about y.
static sherd_quat turned(double angle)
{
    return (sherd_quat){0.0, sin(0.5 * angle), 0.0, cos(0.5 * angle)};
}

static sherd_shape *lying_cylinder(double radius, double height, double z)
{
    sherd_error error;
    sherd_shape *upright = sherd_shape_cylinder(radius, height, &error);
    sherd_pose pose = {{0.0, 0.0, z}, {sqrt(0.5), 0.0, 0.0, sqrt(0.5)}};
    sherd_shape *lying = sherd_shape_placed(upright, pose, &error);
    cr_assert(lying != NULL, "%s", error.what);
    return lying;
}

// A bar with a hole that hangs on a pin, let go at 30 degrees.
static sherd_world *pendulum(stepping by, const sherd_shape *pin)
{
    static const double BELOW = 0.049; // its centre is below the pin's [m]
    sherd_error error;
    sherd_world *world = world_by_weight(by);
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.026, 0.008, 0.120}, &error),
                *hole = lying_cylinder(0.007, 0.020, 0.046);
    sherd_shape *bar = sherd_shape_difference(box, hole, &error);
    sherd_packing_def packing = sherd_packing_def_default();
    packing.radius = 2e-3;
    sherd_packing *p = sherd_packing_create(bar, &packing, &error);
    cr_assert(p != NULL, "%s", error.what);
    sherd_material_def material = soft(0.1);
    sherd_body_def body = sherd_body_def_default();
    body.count = p->count, body.solid_fraction = p->solid_fraction;
    body.x = p->x, body.y = p->y, body.z = p->z, body.radius = p->radius;
    body.material = sherd_world_add_material(world, &material, &error);
    body.pose = (sherd_pose){{-0.5 * BELOW, 0.0, -sqrt(0.75) * BELOW}, turned(M_PI / 6.0)};
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.shape = pin, def.friction = 0.1;
    cr_assert(sherd_world_add_obstacle(world, &def, &error).index1 != 0, "%s", error.what);
    sherd_packing_destroy(p);
    sherd_shape_destroy(bar);
    return world;
}

// A block on its edge, let go at 15 degrees.
static sherd_world *rocker(stepping by)
{
    sherd_world *world = world_by_weight(by);
    block b = block_default();
    b.size = (sherd_vec3){0.03, 0.02, 0.06};
    b.radius = 3.5e-3;
    b.material = soft(0.5);
    b.pose = (sherd_pose){{0.0, 0.0, 0.033}, turned(M_PI / 12.0)};
    add_block(world, &b, NULL);
    add_floor(world, 0.5);
    return world;
}

typedef struct swing {
    double lost, integration; // at the end, over the largest store
    double risen; // most that the mechanical energy was above that of the start, likewise
    sherd_solver_counts counts;
} swing;

static swing let_swing(sherd_world *world, double duration)
{
    enum { FRAMES = 25 };
    double store = 0.0, most = 0.0;
    sherd_energy e = {0};
    for (int f = 1; f <= FRAMES; ++f) {
        advance(world, f * duration / FRAMES);
        e = sherd_world_energy(world);
        store = fmax(store, fmax(e.kinetic, fabs(e.gravity)));
        most = fmax(most, e.kinetic + e.gravity);
    }
    cr_assert(le(dbl, fabs(e.balance_error), 0.01));
    swing s = {-(e.kinetic + e.gravity) / store, e.dissipated_integration / store, most / store,
               sherd_world_solver_counts(world)};
    cr_log_info("lost %.3f, by integration %.3f, risen %.3f, %lld implicit steps", s.lost,
                s.integration, s.risen, (long long)s.counts.implicit_steps);
    sherd_world_destroy(world);
    return s;
}

// For 0.7 s. Euler's steps alone took twice as much in all as explicit steps do; those of second order that go on while the
// same elements slide take 1 %, and friction hangs on when the bar falls onto the pin.
Test(swings, a_bar_swings_on_a_pin)
{
    sherd_shape *pin = lying_cylinder(0.004, 0.04, 0.0);
    swing right = let_swing(pendulum(EXPLICIT, pin), 0.7),
          chosen = let_swing(pendulum(CHOSEN, pin), 0.7);
    sherd_shape_destroy(pin);
    cr_assert(le(dbl, fabs(chosen.lost - right.lost), 0.05));
    cr_assert(le(dbl, fabs(chosen.integration), 0.05));
    cr_assert(le(dbl, chosen.risen, 0.01));
    cr_assert(ge(i64, chosen.counts.implicit_steps, 100));
}

// Until it has hit the floor with its other edge, and while it falls from there onto its side: implicit steps took the first
// hit's rebound, 23 % of the energy, and the block stood still. Begun right behind a hit they gave it energy. What is slower
// than a tenth of sqrt(g r) isn't kept, and hits that are found within a step are begun anew.
Test(swings, a_block_rocks)
{
    swing right = let_swing(rocker(EXPLICIT), 0.4), chosen = let_swing(rocker(CHOSEN), 0.4);
    cr_assert(le(dbl, fabs(chosen.lost - right.lost), 0.05));
    cr_assert(le(dbl, fabs(chosen.integration), 0.12));
    cr_assert(le(dbl, chosen.risen, 0.01));
}
