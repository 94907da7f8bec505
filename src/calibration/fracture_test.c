#include "calibration/fracture_test.h"

#include "base/error.h"

#include <sherd/world.h>

#include <math.h>

// Width relative to other tests' bars, and length relative to width.
static const double WIDER = 1.25, LENGTH = 2.0;

// Depth of the notch over the bar's width. From 0.2 to 0.5 the energy of cracks along rows of hcp
// changes from 1.40 to 1.17, in other packings by at most a tenth.
static const double NOTCH = 0.35;

// Tensile strength of bonds over their E, and E G_f / (sigma_c^2 r) with the elements' radius r.
// From 4 to 64 the dissipated energy changes by 5 % (random), 8 % (hcp, tetrahedra), so that one
// value serves all radii; larger sizes take long.
static const double STRENGTH = 1e-3, SIZE = 16.0;

// Number of times that waves cross the bar while it is loaded to its strength; damping ratio of a
// bond. With 25 crossings the energy is lower by at most 2 %.
static const double CROSSINGS = 10.0, DAMPING = 0.3;

// A bar has failed when its stress is less than SPLINTER of the maximum, and the dissipated energy
// has grown by less than GROWTH for SLACK samples: remaining forces at the grips are vibrations of
// its halves. The test ends when the grips have moved by FARTHEST times the opening at which a bond
// in tension breaks; if a last splinter still carries less than SPLINTER, the energy of the crack
// is known by then.
static const double SPLINTER = 0.1, GROWTH = 1e-3, FARTHEST = 16.0;
enum { SAMPLES = 40, SLACK = 20 }; // in the time of loading to the strength

sherd_status sherd_fracture_bar_init(sherd_bar *bar, const sherd_calibration_def *def, int axis,
                                     sherd_error *error)
{
    sherd_calibration_def wider = *def;
    wider.bar_width *= WIDER;
    return sherd_bar_init_long(bar, &wider, axis, LENGTH, error);
}

static sherd_material_def material_of(const sherd_strength_bonds *bonds, double size)
{
    const double E = SHERD_BAR_BOND_MODULUS, sigma = STRENGTH * E;
    sherd_material_def material = sherd_elastic_material(&bonds->elastic);
    material.tensile_strength = sigma;
    material.shear_strength = sigma / bonds->elastic.shear_weight; // 0: infinite
    material.weibull_modulus = bonds->weibull_modulus;
    material.fracture_energy = size * SHERD_BAR_RADIUS * sigma * sigma / E;
    material.bond_damping = DAMPING;
    material.seed = 1;
    return material;
}

// Computing energies takes as long as some steps: they are only computed at low stress.
static bool grows(const sherd_world *world, double *taken)
{
    double softening = sherd_world_energy(world).dissipated_softening;
    if (softening <= (1.0 + GROWTH) * *taken) return false;
    *taken = softening;
    return true;
}

static sherd_status pull_apart(const sherd_bar *bar, const sherd_bar_world *world, double time,
                               double until, sherd_error *error)
{
    double limit = sherd_world_stable_time_step(world->world, error);
    if (!(limit > 0.0)) return SHERD_ERROR_UNSTABLE;
    double interval = time / SAMPLES, top = 0.0, taken = 0.0;
    int64_t steps = (int64_t)ceil(interval / (0.7 * limit));
    double now = 0.0;
    sherd_status status = sherd_world_set_time_step(world->world, interval / (double)steps, error);
    for (int slack = 0; status == SHERD_OK && slack < SLACK;) {
        if (sherd_world_time(world->world) > until && now < SPLINTER * top) break;
        if (sherd_world_time(world->world) > until)
            return sherd_fail(error, SHERD_ERROR_UNSTABLE, "calibration", NULL,
                              "a notched test bar did not part");
        sherd_world_reset_probes(world->world);
        status = sherd_world_step(world->world, steps, error);
        now = sherd_bar_stress(bar, world, SHERD_BAR_PULL);
        top = fmax(top, now);
        slack = now < SPLINTER * top && !grows(world->world, &taken) ? slack + 1 : 0;
    }
    return status;
}

// The limit of strength reduction: the world reports the radius below which strengths need not be
// reduced.
static sherd_status find_least(const sherd_bar *bar, const sherd_strength_bonds *bonds,
                               double *least, sherd_error *error)
{
    const double little = 0.01;
    sherd_material_def material = material_of(bonds, little);
    sherd_world_def def = sherd_world_def_default();
    sherd_bar_path still = {2, {0.0, 1.0}, {0.0, 0.0}};
    sherd_bar_world world;
    sherd_status status =
        sherd_bar_world_create(bar, &def, &material, SHERD_BAR_PULL, &still, &world, error);
    if (status != SHERD_OK) return status;
    *least = little * SHERD_BAR_RADIUS / sherd_world_body_bonds(world.world, 0).unreduced_radius;
    sherd_world_destroy(world.world);
    return SHERD_OK;
}

sherd_status sherd_fracture_test(const sherd_bar *bar, int side, const sherd_strength_bonds *bonds,
                                 const sherd_elastic_result *elastic, sherd_fracture_result *out,
                                 sherd_error *error)
{
    const double E = SHERD_BAR_BOND_MODULUS;
    sherd_material_def material = material_of(bonds, SIZE);
    sherd_bar notched = *bar;
    notched.notch = NOTCH;
    notched.notch_side = side;
    double speed = sqrt(elastic->modulus * E / (material.density * bar->fill));
    double first = STRENGTH / elastic->utmost, time = CROSSINGS * bar->size[bar->axis] / speed;
    double opening = 2.0 * material.fracture_energy / material.tensile_strength;
    double farthest = first + 0.5 * FARTHEST * opening; // displacement of each grip
    double until = farthest / first * time;
    sherd_bar_path path = {2, {0.0, 1.1 * until}, {0.0, 1.1 * farthest}};
    sherd_world_def def = sherd_world_def_default();
    sherd_bar_world world;
    sherd_status status = find_least(bar, bonds, &out->least, error);
    if (status == SHERD_OK)
        status =
            sherd_bar_world_create(&notched, &def, &material, SHERD_BAR_PULL, &path, &world, error);
    if (status != SHERD_OK) return status;
    status = pull_apart(bar, &world, time, until, error);
    double area = (1.0 - NOTCH) * sherd_bar_section(bar);
    out->taken =
        sherd_world_energy(world.world).dissipated_softening / (material.fracture_energy * area);
    sherd_world_destroy(world.world);
    return status;
}
