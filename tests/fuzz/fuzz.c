#include "fuzz.h"

#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int descriptor = -1;
    static char path[64];
    if (descriptor < 0) descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    bool written = descriptor >= 0 && ftruncate(descriptor, 0) == 0 &&
                   pwrite(descriptor, data, size, 0) == (ssize_t)size;
    if (!written) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return path;
}

uint32_t fuzz_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static const char SCENE[] = "sherd: 1\n"
                            "name: fuzz\n"
                            "duration: 2 ms\n"
                            "output: {frame_rate: 2 kHz}\n"
                            "materials:\n"
                            "  clay: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.25, "
                            "tensile_strength: 0.2 MPa,\n"
                            "         shear_strength: 0.3 MPa}\n"
                            "bodies:\n"
                            "  - {name: slab, shape: {box: [6 mm, 6 mm, 4 mm]}, packing: {hcp: "
                            "{radius: 1 mm}}, material: clay,\n"
                            "     position: [0, 0, 2.2 mm], velocity: [0, 0, -2]}\n"
                            "  - {name: cube, shape: {box: [3 mm, 3 mm, 3 mm]}, packing: {cubic: "
                            "{radius: 0.7 mm}}, material: clay,\n"
                            "     position: [0, 0, 6 mm], velocity: [0, 0, -4], loose: true}\n"
                            "obstacles:\n"
                            "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
                            "  - {name: ball, sphere: 2 mm, position: [0, 0, 10 mm], free: {mass: "
                            "1 g, velocity: [0, 0, -1]}}\n"
                            "probes: [floor]\n";

static void give_up(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

sherd_scene *fuzz_scene(void)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(SCENE, strlen(SCENE), "fuzz.yaml", NULL, &diagnostics);
    if (scene == NULL) give_up(diagnostics.errors[0].what);
    return scene;
}

static bool is_slow(const sherd_world *world)
{
    const double most_speed = 500.0, most_energy = 1.0; // m/s; J, of free bodies of some grams
    sherd_element_view e = sherd_world_elements(world);
    for (sherd_element_index k = 0; k < e.count; ++k)
        if (fabs(e.vx[k]) > most_speed || fabs(e.vy[k]) > most_speed || fabs(e.vz[k]) > most_speed)
            return false;
    sherd_energy energy = sherd_world_energy(world);
    return !(energy.kinetic > most_energy);
}

sherd_status fuzz_step(sherd_world *world, double until, int steps, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < steps && status == SHERD_OK && is_slow(world); ++k)
        status = sherd_world_advance_towards(world, until, 1, error);
    return status;
}

sherd_scene_build fuzz_pack(const sherd_scene *scene)
{
    sherd_error error = {0};
    sherd_scene_build build;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, &error);
    if (world == NULL) give_up(error.what);
    sherd_world_destroy(world);
    return build;
}

static bool add_body(const sherd_scene_body *body, const sherd_packing *packing,
                     sherd_material_id material, sherd_world *world, sherd_error *error)
{
    sherd_body_def def = sherd_body_def_default();
    def.name = body->name;
    def.count = packing->count;
    def.x = packing->x;
    def.y = packing->y;
    def.z = packing->z;
    def.radius = packing->radius;
    def.material = material;
    def.bonding = body->loose ? SHERD_BONDING_NONE : SHERD_BONDING_NEAR;
    def.pose = body->pose;
    def.velocity = body->velocity;
    return sherd_world_add_body(world, &def, error).index1 != 0;
}

sherd_world *fuzz_world(const sherd_scene *scene, const sherd_scene_build *packed)
{
    sherd_error error = {0};
    sherd_world_def def = scene->world;
    def.threads = 1;
    sherd_world *world = sherd_world_create(&def, &error);
    if (world == NULL) give_up(error.what);
    sherd_material_id material = sherd_world_add_material(world, &scene->materials[0].def, &error);
    bool good = material.index1 != 0;
    for (int k = 0; good && k < scene->body_count; ++k)
        good = add_body(&scene->bodies[k], packed->packings[k], material, world, &error);
    for (int k = 0; good && k < scene->obstacle_count; ++k)
        good = sherd_world_add_obstacle(world, &scene->obstacles[k].def, &error).index1 != 0;
    if (!good || sherd_world_advance(world, 2e-4, &error) != SHERD_OK) give_up(error.what);
    return world;
}
