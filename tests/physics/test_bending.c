// Three-point bending of one hexagonal layer, scenes/bending-2d.yaml.
//                                                         [BDEM21] Table 3, eq. (29)
#include <sherd/scene.h>
#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#define SPAN 84e-3
#define BOND_MODULUS 1e7
#define BOND_STRENGTH 1.25e6

typedef struct curve {
    double modulus, strength; // E_macro, sigma_macro [Pa]
} curve;

// The sums of a straight line's least squares.
typedef struct line {
    double n, x, y, xx, xy;
} line;

static void add(line *s, double x, double y)
{
    s->n += 1.0, s->x += x, s->y += y, s->xx += x * x, s->xy += x * y;
}

static double slope(const line *s)
{
    return (s->n * s->xy - s->x * s->y) / (s->n * s->xx - s->x * s->x);
}

// What the rows of elements stand for, sqrt(3) r each.
static double height_of(const sherd_packing *packing)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < packing->count; ++k)
        low = fmin(low, packing->y[k]), high = fmax(high, packing->y[k]);
    return high - low + sqrt(3.0) * packing->lattice_radius;
}

static int obstacle_named(const sherd_scene *scene, const char *name)
{
    for (int k = 0; k < scene->obstacle_count; ++k)
        if (strcmp(scene->obstacles[k].def.name, name) == 0) return k;
    cr_fatal("no obstacle %s", name);
}

// Loads until the force has fallen to half of its top: the whole peak of the curve.
static curve load(const sherd_scene *scene, const sherd_scene_build *build, sherd_world *world)
{
    const double l = SPAN, b = 2.0 * build->packings[0]->lattice_radius;
    const double h = height_of(build->packings[0]);
    sherd_obstacle_id punch = build->obstacle_ids[obstacle_named(scene, "punch")];
    sherd_error error;
    double dt = 0.7 * sherd_world_stable_time_step(world, &error), top = 0.0, force = 0.0;
    sherd_world_set_time_step(world, dt, &error);
    line straight = {0};
    do {
        cr_assert(eq(int, sherd_world_step(world, (int64_t)(5e-4 / dt), &error), SHERD_OK));
        force = sherd_world_probe_obstacle(world, punch).force.y;
        double deflection = -sherd_world_probe_driver(world, build->driver_ids[0]).displacement.y;
        sherd_world_reset_probes(world);
        top = fmax(top, force);
        double stress = 1.5 * l * force / (b * h * h);
        // From where the contacts have settled to a third of the bonds' strength: beyond it the
        // beam's ends turn on the supports' cylinders, which shortens the span.
        if (stress > 0.1e6 && stress < 0.4e6 && sherd_world_bonds(world).broken_count == 0)
            add(&straight, deflection, force);
    } while ((sherd_world_bonds(world).broken_count == 0 || force > 0.5 * top) &&
             sherd_world_time(world) < scene->duration);
    cr_assert(sherd_world_bonds(world).broken_count > 0, "the beam did not break");
    return (curve){l * l * l / (4.0 * b * h * h * h) * slope(&straight),
                   1.5 * l * top / (b * h * h)};
}

static curve bend(const char *variant, const char *breakage)
{
    sherd_scene_options options = {variant, 1, &breakage};
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_load(SHERD_TEST_SOURCE_DIR "/../scenes/bending-2d.yaml",
                                          &options, &diagnostics);
    cr_assert(scene != NULL, "%s", diagnostics.count > 0 ? diagnostics.errors[0].what : "");
    scene->world.method = SHERD_METHOD_EXPLICIT; // loaded by steps of one length
    sherd_scene_build build;
    sherd_error error;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, &error);
    cr_assert(world != NULL, "%s", error.what);
    curve result = load(scene, &build, world);
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    sherd_scene_destroy(scene);
    return result;
}

Test(bending, modulus_and_strength_as_in_the_papers)
{
    curve tensile = bend(NULL, "materials.layer.breakage=tensile");
    curve fine = bend("paper", "materials.layer.breakage=tensile");
    curve absolute = bend(NULL, "materials.layer.breakage=absolute");
    // [BDEM21] measures 1.1, [RBDEM] 1.11; the infinite layer has 1.12, from which a beam of four
    // heights' span loses some 15 % to shear and gains some by its supports' friction.
    cr_assert(tensile.modulus / BOND_MODULUS > 0.95 && tensile.modulus / BOND_MODULUS < 1.2, "%g",
              tensile.modulus / BOND_MODULUS);
    cr_assert(fine.modulus / BOND_MODULUS > 0.95 && fine.modulus / BOND_MODULUS < 1.2, "%g",
              fine.modulus / BOND_MODULUS);
    // 1.28 in [BDEM21], 1.63 in [RBDEM] Table 3 whose bonds don't break under the punch; neither
    // gives the beam's sizes or the lattice's direction, which weigh 20 %.
    cr_assert(epsilon_eq(dbl, absolute.strength / BOND_STRENGTH, 1.28, 0.2 * 1.28));
    cr_assert(epsilon_eq(dbl, tensile.strength / BOND_STRENGTH, 1.6, 0.2 * 1.6));
    // Elements half as large shift the first bond's place by half a row in twelve.
    cr_assert(epsilon_eq(dbl, fine.modulus / tensile.modulus, 1.0, 0.1));
    cr_assert(epsilon_eq(dbl, fine.strength / tensile.strength, 1.0, 0.1));
}
