// What a crack through a body takes per area: the fracture energy that was asked for.      docs/notebook/fracture-energy.md
#include "world/world.h"

#include "physics/block.h"

#include <sherd/scene.h>

#include <stdio.h>
#include <string.h>

// A notched body that is pulled apart along `pull`, its crack runs along `run`, 20 mm, through what is 10 mm or less thick.
typedef struct notched {
    const char *packing;
    char pull, run;
    double thickness, energy; // [mm], [J/m^2]
} notched;

static void put_vector(const notched *n, char *to, double pull, double run, double across,
                       const char *unit)
{
    double v[3];
    for (int k = 0; k < 3; ++k)
        v[k] = "xyz"[k] == n->pull ? pull : "xyz"[k] == n->run ? run : across;
    sprintf(to, "[%g %s, %g %s, %g %s]", v[0], unit, v[1], unit, v[2], unit);
}

static void write_scene(const notched *n, char *text, size_t size)
{
    char box[100], corner[4][100], grip[100], place[2][100], speed[2][100];
    put_vector(n, box, 24.0, 40.0, n->thickness, "mm");
    put_vector(n, corner[0], 0.15, -30.0, -10.0, "mm");
    put_vector(n, corner[1], 0.15, 0.0, -10.0, "mm");
    put_vector(n, corner[2], 0.15, 0.0, 10.0, "mm");
    put_vector(n, corner[3], 0.15, -30.0, 10.0, "mm");
    put_vector(n, grip, 4.0, 60.0, 30.0, "mm");
    for (int end = 0; end < 2; ++end) {
        put_vector(n, place[end], end == 0 ? -11.5 : 11.5, 0.0, 0.0, "mm");
        put_vector(n, speed[end], end == 0 ? -15.0 : 15.0, 0.0, 0.0, "mm/s");
    }
    snprintf(
        text, size,
        "sherd: 1\nname: notched\nduration: 4 ms\ngravity: [0, 0, 0]\nmaterials:\n"
        "  m: {density: 2000, youngs_modulus: 1 GPa, shear_modulus: 0.4 GPa, tensile_strength: "
        "2 MPa,\n      shear_strength: 20 MPa, fracture_energy: %g, bond_damping: 0.2}\n"
        "bodies:\n  - name: b\n    material: m\n    shape: {box: %s}\n    packing: {%s}\n"
        "    weakness:\n      - {strength: 0, cut: {polygon: [%s, %s, %s, %s]}}\ndrivers:\n"
        "  - {name: near, region: {box: %s, position: %s}, motion: {velocity: %s}}\n"
        "  - {name: far, region: {box: %s, position: %s}, motion: {velocity: %s}}\n"
        "solver: {method: explicit}\n",
        n->energy, box, n->packing, corner[0], corner[1], corner[2], corner[3], grip, place[0],
        speed[0], grip, place[1], speed[1]);
}

// Taken by softening over G_f and the area of the ligament.
static double taken(const notched *n)
{
    char text[2000];
    write_scene(n, text, sizeof text);
    sherd_error error;
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(text, strlen(text), "notched.yaml", NULL, &diagnostics);
    cr_assert(scene != NULL, "%s", text);
    sherd_scene_build build = {0};
    sherd_world *world = sherd_scene_create_world(scene, 2, &build, &error);
    cr_assert(world != NULL, "%s", error.what);
    cr_assert(eq(int, sherd_world_advance(world, 4e-3, &error), SHERD_OK), "%s", error.what);
    sherd_energy e = sherd_world_energy(world);
    // The issue of energies asks for 0.5 %; damping, which is strong here, is sampled.
    cr_assert(lt(dbl, fabs(e.balance_error), 1e-3));
    // The bodies are apart: nothing is left in them but vibrations.
    cr_assert(lt(dbl, e.elastic, 0.02 * e.work));
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    sherd_scene_destroy(scene);
    double share = e.dissipated_softening / (n->energy * 20e-3 * n->thickness * 1e-3);
    cr_log_info("%s, pulled along %c: %.3f", n->packing, n->pull, share);
    return share;
}

// Along rows and across them, whatever the radius. Before, they took 1.7 and 2.9 G_f. Ligaments are as short as three
// cohesive zones and cracks across rows wander, which takes more than the 1.06 of long ones.
Test(toughness, of_layers_is_what_was_asked_for)
{
    static const notched LAYERS[] = {
        {"layers: {radius: 1 mm, count: 1, orientation: axes}", 'y', 'x', 2.0, 24.0},
        {"layers: {radius: 1 mm, count: 1, orientation: axes}", 'x', 'y', 2.0, 24.0},
        {"layers: {radius: 0.7 mm, count: 1, orientation: axes}", 'y', 'x', 1.4, 24.0},
        {"layers: {radius: 0.7 mm, count: 1, orientation: axes}", 'x', 'y', 1.4, 24.0},
    };
    double share[4];
    for (int k = 0; k < 4; ++k) {
        share[k] = taken(&LAYERS[k]);
        cr_assert(lt(dbl, fabs(share[k] - 1.0), 0.2), "%d: %g", k, share[k]);
    }
    for (int k = 0; k < 2; ++k)
        cr_assert(lt(dbl, fabs(share[k + 2] - share[k]), 0.1), "%g, %g", share[k], share[k + 2]);
}

// Sum over all bonds of share * S l0 d d' / V, V that of the shape: how much of a crack's area they stand for, which of
// a solid is 1 for every normal and of a layer 1 for those in its plane.
static void check_shares(const notched *n, double third)
{
    char text[2000];
    write_scene(n, text, sizeof text);
    sherd_error error;
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(text, strlen(text), "notched.yaml", NULL, &diagnostics);
    sherd_scene_build build = {0};
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, &error);
    cr_assert(world != NULL, "%s", error.what);
    const sherd_bonds *bonds = &world->system.bonds;
    double f[3] = {0.0};
    for (int64_t k = 0; k < bonds->count; ++k) {
        sherd_bond_constants b = sherd_bond_constants_of(bonds, &world->system.elements, k);
        double s =
            b.area_fraction * M_PI * b.r0 * b.r0 * b.l0 / (24e-3 * 40e-3 * n->thickness * 1e-3);
        f[0] += s * b.d0.x * b.d0.x, f[1] += s * b.d0.y * b.d0.y, f[2] += s * b.d0.z * b.d0.z;
    }
    // Bonds of a lattice have few directions, a finite body has less of some of them.
    cr_assert(epsilon_eq(dbl, f[0], 1.0, 0.05));
    cr_assert(epsilon_eq(dbl, f[1], 1.0, 0.05));
    cr_assert(epsilon_eq(dbl, f[2], third, 0.05));
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    sherd_scene_destroy(scene);
}

Test(toughness, bonds_shares_add_up_to_the_area)
{
    static const notched LAYER = {"layers: {radius: 1 mm, count: 1, orientation: axes}", 'y', 'x',
                                  2.0, 24.0},
                         SOLID = {"hcp: {radius: 1 mm}", 'x', 'y', 10.0, 24.0},
                         HEAP = {"random: {radius: 1 mm}", 'x', 'y', 10.0, 24.0};
    check_shares(&LAYER, 0.0);
    check_shares(&SOLID, 1.0);
    check_shares(&HEAP, 1.0);
}
