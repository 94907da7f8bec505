// Bodies of the same shape, filled in the same way, are packed once; whatever else differs.
#include "scene/scene_packings.h"

#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static const char *const BODIES =
    "sherd: 1\nname: bodies\nduration: 1 ms\nmaterials:\n"
    "  stone: {density: 2000, youngs_modulus: 1 GPa, poissons_ratio: 0.25, tensile_strength: 5 MPa,"
    " shear_strength: 5 MPa}\n"
    "  clay: {density: 1800, youngs_modulus: 1 GPa, poissons_ratio: 0.25, tensile_strength: 1 MPa,"
    " shear_strength: 1 MPa}\n"
    "bodies:\n"
    "  - {name: a, material: stone, shape: {box: [2 cm, 2 cm, 2 cm]}, packing: {hcp: {radius: 4 "
    "mm}}}\n"
    "  - {name: wide, material: stone, shape: {box: [2.1 cm, 2 cm, 2 cm]}, position: [0, 0, 5 "
    "cm], packing: {hcp: {radius: 4 mm}}}\n"
    "  - {name: same, material: clay, shape: {box: [20 mm, 20 mm, 20 mm]}, position: [0, 0, 10 "
    "cm], rotation: [20 deg, 0, 0], packing: {hcp: {radius: 4 mm}}}\n"
    "  - {name: fine, material: stone, shape: {box: [2 cm, 2 cm, 2 cm]}, position: [0, 0, 15 "
    "cm], packing: {hcp: {radius: 3 mm}}}\n"
    "  - {name: seeded, material: stone, shape: {box: [2 cm, 2 cm, 2 cm]}, position: [0, 0, 20 "
    "cm], packing: {hcp: {radius: 4 mm, jitter: 0.1, seed: 1}}}\n"
    "  - {name: seeded_anew, material: stone, shape: {box: [2 cm, 2 cm, 2 cm]}, position: [0, 0, "
    "25 cm], packing: {hcp: {radius: 4 mm, jitter: 0.1, seed: 2}}}\n"
    "  - {name: pair, material: stone, shape: {union: [{sphere: 1 cm}, {box: [1 cm, 1 cm, 3 cm], "
    "position: [0, 0, 1 cm]}]}, position: [0, 0, 30 cm], packing: {hcp: {radius: 2 mm}}}\n"
    "  - {name: same_pair, material: stone, shape: {union: [{sphere: 1 cm}, {box: [1 cm, 1 cm, 3 "
    "cm], position: [0, 0, 1 cm]}]}, position: [0, 0, 35 cm], packing: {hcp: {radius: 2 mm}}}\n"
    "  - {name: once_more, material: stone, shape: {box: [2 cm, 2 cm, 2 cm]}, position: [0, 0, 40 "
    "cm], packing: {hcp: {radius: 4 mm}}}\n";

static sherd_scene *parse(void)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(BODIES, strlen(BODIES), "test.yaml", NULL, &diagnostics);
    cr_assert(scene != NULL);
    sherd_diagnostics_free(&diagnostics);
    return scene;
}

static void check_equal(const sherd_packing *a, const sherd_packing *b)
{
    size_t n = (size_t)a->count * sizeof *a->x;
    cr_assert(eq(int, a->count, b->count));
    cr_assert(memcmp(a->x, b->x, n) == 0 && memcmp(a->y, b->y, n) == 0);
    cr_assert(memcmp(a->z, b->z, n) == 0 && memcmp(a->radius, b->radius, n) == 0);
}

Test(scene_packings, equal_bodies_are_packed_once)
{
    static const int FIRST[] = {0, 1, 0, 3, 4, 5, 6, 6, 0};
    enum { COUNT = sizeof FIRST / sizeof FIRST[0] };
    sherd_scene *scene = parse();
    cr_assert(eq(int, scene->body_count, COUNT));
    sherd_scene_build build;
    sherd_error error;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, &error);
    cr_assert(world != NULL, "%s", error.what);
    int made = 0;
    for (int k = 0; k < COUNT; ++k) {
        made += build.packed_with[k] == k;
        cr_assert(eq(int, build.packed_with[k], FIRST[k]), "body %d", k);
        cr_assert(build.packings[k] == build.packings[FIRST[k]]);
        sherd_packing *own = sherd_scene_pack_body(scene, k, 1, &error);
        cr_assert(own != NULL && own != build.packings[k]);
        check_equal(own, build.packings[k]);
        sherd_packing_destroy(own);
    }
    cr_assert(eq(int, made, 6));
    sherd_scene_build_free(&build);
    sherd_world_destroy(world);
    sherd_scene_destroy(scene);
}

// A hash that is the same by chance, or stale, makes nothing equal.
Test(scene_packings, hashes_do_not_decide)
{
    sherd_scene *scene = parse();
    sherd_scene_body *bodies = (sherd_scene_body *)scene->bodies;
    for (int k = 0; k < scene->body_count; ++k)
        bodies[k].shape_digest = 7;
    sherd_scene_build build;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, NULL);
    cr_assert(world != NULL);
    cr_assert(eq(int, build.packed_with[1], 1)); // as wide as the first but for a millimetre
    cr_assert(eq(int, build.packed_with[8], 0));
    sherd_scene_build_free(&build);
    sherd_world_destroy(world);
    sherd_scene_destroy(scene);
}

// Points of sand begin on the lattice, as those of solids do: displaced ones fall through floors in time.
Test(scene_packings, points_of_sand_are_displaced_on_request)
{
    static const char *const TEXT =
        "sherd: 1\nname: points\nduration: 1 ms\nmaterials:\n"
        "  sand: {like: sand}\n"
        "  jelly: {density: 1000, youngs_modulus: 100 kPa, poissons_ratio: 0.3, model: corotated}\n"
        "bodies:\n"
        "  - {name: heap, material: sand, shape: {sphere: 5 cm}, packing: {points: {spacing: 1 "
        "cm, jitter: 0.3}}}\n"
        "  - {name: rows, material: sand, shape: {sphere: 5 cm}, packing: {points: {spacing: 1 cm"
        "}}}\n"
        "  - {name: solid, material: jelly, shape: {sphere: 5 cm}, packing: {points: {spacing: 1 "
        "cm}}}"
        "\n";
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(TEXT, strlen(TEXT), "test.yaml", NULL, &diagnostics);
    cr_assert(scene != NULL);
    sherd_diagnostics_free(&diagnostics);
    sherd_error error;
    sherd_packing *packing[3];
    for (int k = 0; k < 3; ++k) {
        packing[k] = sherd_scene_pack_body(scene, k, 1, &error);
        cr_assert(packing[k] != NULL);
    }
    check_equal(packing[1], packing[2]);
    cr_assert(eq(int, packing[0]->count, packing[1]->count));
    size_t size = (size_t)packing[0]->count * sizeof(double);
    cr_assert(memcmp(packing[0]->x, packing[1]->x, size) != 0);
    cr_assert(memcmp(packing[0]->volume, packing[1]->volume, size) == 0);
    for (int k = 0; k < 3; ++k)
        sherd_packing_destroy(packing[k]);
    sherd_scene_destroy(scene);
}
