// Stiffness at rest: long implicit steps against explicit ones and against Timoshenko's beams.
#include "physics/methods.h"

#define R 1e-3 // radius [m]
#define E_BOND 1e7
#define G_BOND 4e6

typedef enum specimen { CHAIN, STRIP, BAR } specimen;
typedef enum load { PULL, TWIST, BEND } load;

enum { CHAIN_BONDS = 12 };
static const double RAMP = 0.06; // [s] some periods of the slowest mode

static sherd_material_def material(void)
{
    sherd_material_def m = sherd_material_def_default();
    m.youngs_modulus = E_BOND, m.shear_modulus = G_BOND;
    m.bond_damping = 0.3;
    return m;
}

// A single row of touching elements, its middle at the origin.
static void add_chain(sherd_world *world)
{
    enum { COUNT = CHAIN_BONDS + 1 };
    double x[COUNT], zero[COUNT] = {0}, radius[COUNT];
    sherd_error error;
    for (int k = 0; k < COUNT; ++k)
        x[k] = 2.0 * R * (k - 0.5 * CHAIN_BONDS), radius[k] = R;
    sherd_material_def m = material();
    sherd_body_def body = sherd_body_def_default();
    body.count = COUNT;
    body.x = x, body.y = body.z = zero, body.radius = radius;
    body.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
}

static void add_specimen(sherd_world *world, specimen kind)
{
    block b = block_default();
    b.radius = R;
    b.material = material();
    b.size = (sherd_vec3){0.032, 0.006, 0.006};
    if (kind == STRIP)
        b.packing = SHERD_PACKING_HEX_LAYERS, b.layers = 1,
        b.size = (sherd_vec3){0.05, 0.01, 0.002};
    kind == CHAIN ? add_chain(world) : (void)add_block(world, &b, NULL);
}

typedef struct geometry {
    double length; // between what is clamped and what is loaded [m]
    double height; // of the rows [m]
    double stiffness;
} geometry;

// Rises from 0 to 1 as 3 s^2 - 2 s^3, which leaves little vibration.
enum { KEYS = 25 };
static double rise(int key)
{
    double s = key / (KEYS - 1.0);
    return s * s * (3.0 - 2.0 * s);
}

static sherd_driver_id add_load(sherd_world *world, load what, double from, double size)
{
    sherd_motion_key keys[KEYS] = {0};
    double times[KEYS], factors[KEYS];
    for (int k = 0; k < KEYS; ++k) {
        keys[k].time = times[k] = RAMP * k / (KEYS - 1.0);
        factors[k] = rise(k);
        if (what == PULL) keys[k].translation.x = size * rise(k);
        if (what == TWIST) keys[k].rotation.x = size * rise(k);
    }
    sherd_driver_def def = held();
    def.motion.key_count = KEYS, def.motion.keys = keys;
    if (what == BEND) {
        def = sherd_driver_def_default();
        def.drive = SHERD_DRIVE_FORCE;
        def.force.y = size;
        def.force_key_count = KEYS, def.force_times = times, def.force_factors = factors;
    }
    return drive_slab(world, from, 1.0, def);
}

// Rows of a hexagonal layer end r apart, alternately: the mean end is half of that inside.
static geometry measure(const sherd_world *world, specimen kind, load what, double left,
                        double right)
{
    sherd_element_view e = sherd_world_elements(world);
    double clamped = -INFINITY, loaded = INFINITY, mean = 0.0, count = 0.0, low = INFINITY,
           high = -INFINITY, overhang = kind == CHAIN ? 0.0 : 0.5 * R;
    for (int k = 0; k < e.count; ++k) {
        double x = sherd_world_element(world, k).rest.x;
        if (x < left) clamped = fmax(clamped, x);
        if (x > right) loaded = fmin(loaded, x), mean += x, ++count;
        low = fmin(low, e.y[k]), high = fmax(high, e.y[k]);
    }
    double end = what == BEND ? mean / count : loaded + overhang;
    return (geometry){.length = end - (clamped - overhang), .height = high - low + sqrt(3.0) * R};
}

// How many steps after the ramp: each divides what still vibrates by 10 at least.
enum { STEPS_TO_REST = 5 };

// Force over displacement, or torque over angle, at rest.
static geometry respond(specimen kind, load what, stepping by)
{
    double left = kind == CHAIN   ? -0.0115
                  : kind == STRIP ? -0.021
                                  : -0.012,
           right = -left,
           size = what == PULL    ? 3e-5
                  : what == TWIST ? 0.02
                  : kind == CHAIN ? 2e-5
                                  : 1e-3;
    sherd_world *world = world_by(by, (sherd_vec3){0.0, 0.0, 0.0});
    add_specimen(world, kind);
    drive_slab(world, -1.0, left, held());
    sherd_driver_id id = add_load(world, what, right, size);
    geometry out = measure(world, kind, what, left, right);
    set_frame(world, by, 0.2 * RAMP);
    double rest = by.method == SHERD_METHOD_EXPLICIT ? 0.6 * RAMP
                                                     : STEPS_TO_REST * by.limits * limit_of(world);
    advance(world, RAMP);
    advance(world, RAMP + rest);
    sherd_world_reset_probes(world);
    double moved = 0.0;
    enum { LOOKS = 4 }; // explicit steps still vibrate a little
    for (int k = 1; k <= LOOKS; ++k) {
        advance(world, RAMP + rest + 0.2 * k * RAMP);
        moved += sherd_world_probe_driver(world, id).displacement.y / LOOKS;
    }
    sherd_probe_reading reading = sherd_world_probe_driver(world, id);
    out.stiffness = what == PULL    ? -reading.force.x / size
                    : what == TWIST ? -reading.torque.x / size
                                    : size / moved;
    sherd_world_destroy(world);
    return out;
}

// 1 %: Newton stops within 1e-3; what explicit steps still vibrate is less, too.
static void check_agreement(specimen kind, load what, double limits)
{
    geometry a = respond(kind, what, EXPLICIT), b = respond(kind, what, euler(limits));
    cr_assert(epsilon_eq(dbl, b.stiffness, a.stiffness, 0.01 * a.stiffness),
              "specimen %d, load %d, %g T", (int)kind, (int)what, limits);
}

Test(implicit_rest, a_bar_is_as_stiff_as_by_explicit_steps)
{
    for (int what = PULL; what <= BEND; ++what)
        check_agreement(BAR, (load)what, 2000.0);
}

Test(implicit_rest, a_layer_is_as_stiff_as_by_explicit_steps)
{
    check_agreement(STRIP, PULL, 1000.0);
    check_agreement(STRIP, BEND, 10000.0);
}

// ---------------------------------------------------------------- theory

// The affine estimate of the plane lattice (test_stiffness.c): Young's and shear modulus.
static void plane_moduli(double *young, double *shear)
{
    double kn = 0.5 * M_PI * E_BOND, ks = 0.5 * M_PI * G_BOND;
    double c11 = sqrt(3.0) / 4.0 * (3.0 * kn + ks) / 2.0, c12 = sqrt(3.0) / 4.0 * (kn - ks) / 2.0;
    *young = c11 - c12 * c12 / c11;
    *shear = sqrt(3.0) / 4.0 * (kn + ks) / 2.0;
}

// 5 %: grips hold the sides, and rim rows lack bonds.
Test(implicit_rest, a_slender_layer_is_a_timoshenko_beam)
{
    double young, shear;
    plane_moduli(&young, &shear);
    geometry pull = respond(STRIP, PULL, euler(3000.0)), bend = respond(STRIP, BEND, euler(3000.0));
    double area = 2.0 * R * pull.height, expected = young * area / pull.length;
    cr_assert(epsilon_eq(dbl, pull.stiffness, expected, 0.05 * expected));
    double l = bend.length, second = 2.0 * R * pow(bend.height, 3.0) / 12.0;
    expected = 1.0 / (l * l * l / (3.0 * young * second) + l / (5.0 / 6.0 * shear * area));
    cr_assert(epsilon_eq(dbl, bend.stiffness, expected, 0.05 * expected));
}

// A single row is the beam that its bonds are made of, in every mode. 1 %: joints sit in the middle of bonds
// (1 / 4 n^2 = 0.2 % in bending), and Newton stops within 1e-3.
Test(implicit_rest, a_row_of_elements_is_the_beam_of_its_bonds)
{
    double section = M_PI * R * R, bend = 0.25 * section * R * R, length = CHAIN_BONDS * 2.0 * R;
    double expected[] = {
        E_BOND * section / length, 2.0 * G_BOND * bend / length,
        1.0 / (pow(length, 3.0) / (3.0 * E_BOND * bend) + length / (G_BOND * section))};
    for (int what = PULL; what <= BEND; ++what) {
        geometry found = respond(CHAIN, (load)what, euler(1000.0));
        cr_assert(epsilon_eq(dbl, found.length, length, 1e-9));
        cr_assert(epsilon_eq(dbl, found.stiffness, expected[what], 0.01 * expected[what]),
                  "load %d", what);
    }
}
