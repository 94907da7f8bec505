// Structures of Cosserat-rod bonds against closed forms: cantilevers that bend far, a helical spring, beams of a
// lattice; and the order of explicit steps.
#include "base/memory.h"
#include "calibration/elastic_test.h"
#include "models/bonded/storage/bond_pass.h"
#include "physics/block.h"
#include "world/world.h"

// ---------------------------------------------------------------- chains

typedef struct chain {
    int count;
    double *x, *y, *z, *radius, *volume;
    sherd_element_index *i, *j;
} chain;

static chain make_chain(int count, double radius)
{
    size_t n = (size_t)count;
    chain c = {count,
               sherd_alloc(n, sizeof(double)),
               sherd_alloc(n, sizeof(double)),
               sherd_alloc(n, sizeof(double)),
               sherd_alloc(n, sizeof(double)),
               sherd_alloc(n, sizeof(double)),
               sherd_alloc(n, sizeof(sherd_element_index)),
               sherd_alloc(n, sizeof(sherd_element_index))};
    for (int k = 0; k < count; ++k) {
        c.radius[k] = radius;
        c.volume[k] = 4.0 / 3.0 * M_PI * radius * radius * radius;
        c.i[k] = k, c.j[k] = k + 1;
    }
    return c;
}

static void free_chain(chain *c)
{
    void *all[] = {c->x, c->y, c->z, c->radius, c->volume, c->i, c->j};
    for (int k = 0; k < 7; ++k)
        sherd_free(all[k]);
}

// Implicit steps so exact that only their length counts; no contacts.
static sherd_world *world_of(const chain *c, const sherd_material_def *material, sherd_vec3 gravity,
                             double time_step)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = gravity;
    def.threads = 1;
    def.method = SHERD_METHOD_IMPLICIT;
    def.scheme = SHERD_SCHEME_EULER;
    def.precision = SHERD_PRECISION_DOUBLE;
    def.time_step = time_step;
    def.accuracy = 1e-3;
    def.contacts = false;
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world != NULL, "%s", error.what);
    sherd_body_def body = sherd_body_def_default();
    body.count = c->count;
    body.x = c->x, body.y = c->y, body.z = c->z, body.radius = c->radius, body.volume = c->volume;
    body.bonding = SHERD_BONDING_LIST;
    body.bond_count = c->count - 1;
    body.bond_i = c->i, body.bond_j = c->j;
    body.material = sherd_world_add_material(world, material, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    return world;
}

// Of what lies within a cube of this size about a place.
static sherd_driver_id grip(sherd_world *world, sherd_vec3 at, double size,
                            const sherd_motion *motion)
{
    sherd_error error;
    sherd_driver_def d = sherd_driver_def_default();
    sherd_shape *box = sherd_shape_box((sherd_vec3){size, size, size}, &error);
    d.region.shape = box;
    d.region.pose.position = at;
    d.drive = SHERD_DRIVE_MOTION;
    if (motion != NULL) d.motion = *motion;
    sherd_driver_id id = sherd_world_add_driver(world, &d, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
    return id;
}

static sherd_material_def rod_material(void)
{
    sherd_material_def m = sherd_material_def_default();
    m.law = SHERD_BOND_LAW_ROD;
    m.youngs_modulus = 1e6;
    m.shear_modulus = 4e5;
    m.bond_damping = 0.0;
    return m;
}

static void advance(sherd_world *world, double time)
{
    sherd_error error;
    cr_assert(eq(int, sherd_world_advance(world, time, &error), SHERD_OK), "%s", error.what);
}

// ---------------------------------------------------------------- elastica

enum { BEAM = 41 };

// Where the tip of a cantilever of length 1 hangs whose weight is alpha E I / L^2.
static void hang(double alpha, double *along, double *down)
{
    const double radius = 1e-3, length = 2.0 * radius * (BEAM - 1);
    chain c = make_chain(BEAM, radius);
    for (int k = 0; k < BEAM; ++k)
        c.x[k] = 2.0 * radius * k;
    c.volume[BEAM - 1] *= 0.5; // the weight is even, up to the tip
    sherd_material_def m = rod_material();
    m.density = 1000.0;
    double second = 0.25 * M_PI * pow(radius, 4), line = m.density * c.volume[0] / (2.0 * radius);
    double g = alpha * m.youngs_modulus * second / (line * pow(length, 3));
    // 1/12 of the slowest vibration, which dies down by a tenth in each step.
    double period = 2.0 * M_PI / 3.516 * sqrt(line * pow(length, 4) / (m.youngs_modulus * second));
    sherd_world *world = world_of(&c, &m, (sherd_vec3){0.0, 0.0, -g}, period / 12.0);
    grip(world, (sherd_vec3){0.0, 0.0, 0.0}, radius, NULL);
    advance(world, 8.0 * period);
    sherd_element_view e = sherd_world_elements(world);
    *along = e.x[BEAM - 1] / length;
    *down = -e.z[BEAM - 1] / length;
    sherd_world_destroy(world);
    free_chain(&c);
}

// The elastica of a heavy inextensible beam, alpha = w L^3 / (E I). A chain of 40 bonds differs from it by 1/40^2 and
// its own stretch, alpha r^2 / (4 L^2) = 2e-3 of the length at most.
Test(rods, cantilevers_hang_as_the_elastica)
{
    const double tip[][3] = {{1.0, 0.9913, 0.1235}, {2.0, 0.9669, 0.2385},  {4.0, 0.8901, 0.4252},
                             {5.0, 0.8467, 0.4959}, {10.0, 0.6564, 0.7002}, {20.0, 0.4452, 0.8299},
                             {48.0, 0.2516, 0.9057}};
    for (size_t k = 0; k < sizeof tip / sizeof tip[0]; ++k) {
        double along, down;
        hang(tip[k][0], &along, &down);
        cr_expect(fabs(along - tip[k][1]) < 0.003 && fabs(down - tip[k][2]) < 0.003,
                  "alpha %g: %.4f, %.4f", tip[k][0], along, down);
    }
}

// ---------------------------------------------------------------- spring

enum { TURNS = 5, PER_TURN = 60, COIL = TURNS * PER_TURN + 1 };

// Wire of diameter d, coiled at diameter D = 10 d in n turns: k = G d^4 / (8 D^3 n). Ends that cannot turn, the pitch of
// 2 degrees and the wire's own stretch and shear (0.5 / 10^2) count for less than 1 %.
Test(rods, helical_spring_is_as_stiff_as_the_textbook_says)
{
    const double d = 2e-3, D = 10.0 * d, pitch = 1.2 * d, amount = 1e-3 * D;
    chain c = make_chain(COIL, 0.5 * d);
    for (int k = 0; k < COIL; ++k) {
        double angle = 2.0 * M_PI * k / PER_TURN;
        c.x[k] = 0.5 * D * cos(angle), c.y[k] = 0.5 * D * sin(angle);
        c.z[k] = pitch * k / PER_TURN;
    }
    sherd_material_def m = rod_material();
    const double step = 1e3; // [s]: at rest
    sherd_world *world = world_of(&c, &m, (sherd_vec3){0.0, 0.0, 0.0}, step);
    sherd_motion pull = {.velocity = {0.0, 0.0, amount / step}};
    grip(world, (sherd_vec3){c.x[0], c.y[0], c.z[0]}, 0.1 * d, NULL);
    sherd_driver_id end =
        grip(world, (sherd_vec3){c.x[COIL - 1], c.y[COIL - 1], c.z[COIL - 1]}, 0.1 * d, &pull);
    advance(world, step);
    sherd_world_reset_probes(world);
    advance(world, 2.0 * step);
    double force = -sherd_world_probe_driver(world, end).force.z;
    double stiffness = force / (1.5 * amount); // the mean over the second step, from 1 to 2 of it
    double expected = m.shear_modulus * pow(d, 4) / (8.0 * pow(D, 3) * TURNS);
    cr_assert(epsilon_eq(dbl, stiffness, expected, 0.01 * expected), "%g of %g", stiffness,
              expected);
    sherd_world_destroy(world);
    free_chain(&c);
}

// ---------------------------------------------------------------- beams of one layer

typedef struct beam {
    double modulus;  // E of the beam over that of bonds
    double strength; // outermost stress at which its first bond reaches sigma_c, over that
} beam;

enum { ROWS = 24, ROWS_ALONG = 18 };

// Largest normal stress of bonds in the beam's middle half, away from grips [Pa].
static double most_stressed(const sherd_world *world, double length)
{
    const sherd_bonds *bonds = &world->system.bonds;
    const sherd_elements *e = &world->system.elements;
    double most = 0.0;
    for (int64_t k = 0; k < bonds->count; ++k) {
        if (fabs(sherd_element_rest(e, bonds->i[k]).x) > 0.25 * length) continue;
        most = fmax(most, sherd_bond_analyse(bonds, e, k).normal_stress);
    }
    return most;
}

// The same load as sherd_elastic_test's, to see single bonds.
static double strength_of(const sherd_bar *bar, const sherd_elastic_bonds *bonds)
{
    sherd_error error;
    const double step = 1e3; // [s]: at rest
    sherd_bar_path path = {2, {0.0, step}, {0.0, 1e-5}};
    sherd_world_def def = sherd_world_def_default();
    def.method = SHERD_METHOD_IMPLICIT;
    def.scheme = SHERD_SCHEME_EULER;
    def.precision = SHERD_PRECISION_DOUBLE;
    def.time_step = step;
    def.accuracy = 1e-3;
    sherd_material_def material = sherd_elastic_material(bonds);
    material.bond_damping = 0.0;
    sherd_bar_world world;
    cr_assert(
        eq(int, sherd_bar_world_create(bar, &def, &material, SHERD_BAR_BEND, &path, &world, &error),
           SHERD_OK),
        "%s", error.what);
    advance(world.world, step);
    sherd_world_reset_probes(world.world);
    advance(world.world, 2.0 * step);
    double stress = sherd_bar_stress(bar, &world, SHERD_BAR_BEND);
    double most = most_stressed(world.world, bar->size[0]);
    sherd_world_destroy(world.world);
    return stress / most;
}

// Of one hexagonal layer, bent in its plane; the height is the area of its cells over its length.
static sherd_bar layer_of(int rows, bool across)
{
    const double r = SHERD_BAR_RADIUS, apart = across ? 2.0 * r : sqrt(3.0) * r;
    const double height = apart * rows, length = 8.0 * height;
    sherd_error error;
    sherd_vec3 size =
        across ? (sherd_vec3){height, length, 2.0 * r} : (sherd_vec3){length, height, 2.0 * r};
    sherd_shape *box = sherd_shape_box(size, &error);
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = SHERD_PACKING_HEX_LAYERS;
    def.radius = r;
    def.layers = 1;
    def.orientation = SHERD_PACKING_ORIENT_AXES;
    sherd_packing *p = sherd_packing_create(box, &def, &error);
    cr_assert(p != NULL, "%s", error.what);
    double low = 0.0, high = 0.0;
    for (int32_t k = 0; k < p->count; ++k) { // from along y to along x
        double x = p->x[k];
        if (across) p->x[k] = p->y[k], p->y[k] = -x;
        low = fmin(low, p->x[k]), high = fmax(high, p->x[k]);
    }
    // Rows across are sqrt3 r apart; of those along every other one is shifted by r.
    double along = high - low + (across ? sqrt(3.0) * r : r);
    double area = p->count * 2.0 * sqrt(3.0) * r * r;
    sherd_shape_destroy(box);
    return (sherd_bar){.packing = p,
                       .size = {along, area / along, 2.0 * r},
                       .fill = 1.0,
                       .bond_reach = sherd_body_def_default().bond_reach,
                       .threads = 1};
}

// G / E = 0.33 as in [RBDEM] Table 3.
static sherd_elastic_bonds bonds_of(double correction)
{
    return (sherd_elastic_bonds){.law = SHERD_BOND_LAW_ROD,
                                 .shear_correction = correction,
                                 .breakage = SHERD_BREAKAGE_ROD,
                                 .g = 0.33};
}

static beam bend(double correction, int rows, bool across)
{
    sherd_error error;
    sherd_bar bar = layer_of(rows, across);
    const sherd_elastic_bonds bonds = bonds_of(correction);
    sherd_elastic_result result;
    cr_assert(
        eq(int, sherd_elastic_test(&bar, &bonds, SHERD_BAR_BEND, &result, NULL, &error), SHERD_OK),
        "%s", error.what);
    beam b = {result.modulus, strength_of(&bar, &bonds)};
    sherd_bar_free(&bar);
    return b;
}

Test(rods, beams_of_one_layer)
{
    beam plain = bend(1.0, ROWS, true), corrected = bend(5.0 / 6.0, ROWS, true);
    cr_expect(fabs(plain.modulus - 1.021) < 0.02 && fabs(corrected.modulus - 0.995) < 0.02,
              "moduli %g, %g", plain.modulus, corrected.modulus);
    cr_expect(fabs(corrected.modulus / plain.modulus - 0.974) < 0.005, "ratio %g",
              corrected.modulus / plain.modulus);
    cr_expect(fabs(plain.strength / 1.483 - 1.0) < 0.08 &&
                  fabs(corrected.strength / 1.442 - 1.0) < 0.08,
              "strengths %g, %g", plain.strength, corrected.strength);
    beam rows_along = bend(1.0, ROWS_ALONG, false);
    cr_expect(fabs(rows_along.modulus / 1.065 - 1.0) < 0.02 &&
                  fabs(rows_along.strength / 1.07 - 1.0) < 0.08,
              "rows along: %g, %g", rows_along.modulus, rows_along.strength);
}

// ---------------------------------------------------------------- strength by two methods

enum { FEW_ROWS = 8, SAMPLES = 100 };

// Most outermost stress that a beam bears, over sigma_c, while its grips are turned by `angle`.
// Bonds are damped, so that little of what swings is left.
static double bend_until_it_breaks(const sherd_bar *bar, sherd_method method, double angle,
                                   double time)
{
    const double sigma_c = 1e-3 * SHERD_BAR_BOND_MODULUS;
    sherd_error error;
    sherd_bar_path path = {3, {0.0, 0.2 * time, time}, {0.0, angle / 9.0, angle}};
    sherd_world_def def = sherd_world_def_default();
    def.method = method;
    def.precision = SHERD_PRECISION_DOUBLE;
    sherd_elastic_bonds bonds = bonds_of(0.0);
    sherd_material_def material = sherd_elastic_material(&bonds);
    material.tensile_strength = material.shear_strength = sigma_c;
    material.bond_damping = 0.3;
    sherd_bar_world world;
    cr_assert(
        eq(int, sherd_bar_world_create(bar, &def, &material, SHERD_BAR_BEND, &path, &world, &error),
           SHERD_OK),
        "%s", error.what);
    double most = 0.0, dt = time / SAMPLES,
           limit = sherd_world_stable_time_step(world.world, &error);
    if (method == SHERD_METHOD_EXPLICIT)
        sherd_world_set_time_step(world.world, dt / ceil(dt / (0.8 * limit)), &error);
    for (int k = 1; k <= SAMPLES; ++k) {
        sherd_world_reset_probes(world.world);
        advance(world.world, k * dt);
        most = fmax(most, sherd_bar_stress(bar, &world, SHERD_BAR_BEND) / sigma_c);
    }
    cr_assert(lt(i64, 0, sherd_world_bonds(world.world).broken_count));
    sherd_world_destroy(world.world);
    return most;
}

// Samples are 1 % of the load apart; loads are off their quasi-static ones by what bending swings, the share of a period
// in the time of loading.
Test(rods, implicit_strength_is_explicit_strength)
{
    sherd_error error;
    sherd_bar bar = layer_of(FEW_ROWS, true);
    const sherd_elastic_bonds bonds = bonds_of(0.0);
    sherd_elastic_result elastic;
    cr_assert(
        eq(int, sherd_elastic_test(&bar, &bonds, SHERD_BAR_BEND, &elastic, NULL, &error), SHERD_OK),
        "%s", error.what);
    double speed = sqrt(SHERD_BAR_BOND_MODULUS / sherd_material_def_default().density);
    double angle = 1.3 * 1e-3 / elastic.utmost, time = 200.0 * bar.size[0] / speed;
    double by_explicit = bend_until_it_breaks(&bar, SHERD_METHOD_EXPLICIT, angle, time),
           by_implicit = bend_until_it_breaks(&bar, SHERD_METHOD_IMPLICIT, angle, time);
    cr_assert(epsilon_eq(dbl, by_implicit, by_explicit, 0.02 * by_explicit), "%g, %g", by_implicit,
              by_explicit);
    sherd_bar_free(&bar);
}

// ---------------------------------------------------------------- calibration

// G over E of bonds that make a solid of Poisson's ratio 0.22.
static double calibrated(sherd_packing_kind kind, double correction, sherd_bond_radius radius,
                         sherd_calibration *out)
{
    sherd_error error;
    sherd_calibration_def def = sherd_calibration_def_default();
    def.packing.kind = kind;
    def.packing.size_low = 0.7, def.packing.size_high = 1.3; // of random packings, over the radius
    def.youngs_modulus = 1.0;
    def.poissons_ratio = 0.22;
    def.law = SHERD_BOND_LAW_ROD;
    def.shear_correction = correction;
    def.bond_radius = radius;
    def.breakage = SHERD_BREAKAGE_NONE;
    def.bar_width = 10.0;
    def.cache_folder = "";
    def.threads = 1;
    cr_assert(eq(int, sherd_calibrate(&def, out, &error), SHERD_OK), "%s", error.what);
    cr_assert(fabs(out->poissons_ratio - 0.22) < 0.004);
    return out->full.shear_modulus / out->full.youngs_modulus;
}

// Poisson's ratio follows from kappa G / E but for twisting, which takes G: what is asked for is found by 6/5 of the G,
// or a little less. Bonds of the smaller radius make up for it by their E.
Test(rods, calibration_finds_rods_for_a_solid)
{
    sherd_calibration c, thin;
    double own = calibrated(SHERD_PACKING_HCP, 0.0, SHERD_BOND_RADIUS_MEAN, &c);
    double ratio = own / calibrated(SHERD_PACKING_HCP, 1.0, SHERD_BOND_RADIUS_MEAN, &c);
    cr_assert(ratio > 1.15 && ratio < 1.21, "%g", ratio);
    calibrated(SHERD_PACKING_RANDOM, 0.0, SHERD_BOND_RADIUS_MEAN, &c);
    calibrated(SHERD_PACKING_RANDOM, 0.0, SHERD_BOND_RADIUS_MINIMUM, &thin);
    cr_assert(thin.bar.youngs_modulus > 1.02 * c.bar.youngs_modulus, "%g, %g",
              thin.bar.youngs_modulus, c.bar.youngs_modulus);
}

// ---------------------------------------------------------------- explicit steps

// The largest error of a swinging block's energy, in steps of this share of the limit.
static double energy_error(double share)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    def.threads = 1;
    def.precision = SHERD_PRECISION_DOUBLE;
    def.contacts = false;
    def.time_step_safety = share;
    sherd_world *world = sherd_world_create(&def, &error);
    block b = block_default();
    b.size = (sherd_vec3){0.02, 0.006, 0.006};
    b.material = rod_material();
    b.angular_velocity = (sherd_vec3){0.0, 0.0, 800.0}; // stretched by 0.1: far from linear
    add_block(world, &b, NULL);
    double start = 0.0, worst = 0.0, dt = share * sherd_world_stable_time_step(world, &error);
    for (int k = 0; k <= 100; ++k) {
        if (k > 0) run_steps(world, (int64_t)lround(1e-5 / dt) + 1);
        sherd_energy e = sherd_world_energy(world);
        if (k == 0) start = e.kinetic + e.elastic;
        worst = fmax(worst, fabs(e.kinetic + e.elastic - start) / start);
    }
    sherd_world_destroy(world);
    return worst;
}

// Velocity Verlet: four times less with half the step.
Test(rods, explicit_steps_keep_energy_to_second_order)
{
    double coarse = energy_error(0.4), fine = energy_error(0.2);
    cr_assert(coarse < 0.01 && coarse / fine > 3.0 && coarse / fine < 5.0, "%g, %g", coarse, fine);
}
