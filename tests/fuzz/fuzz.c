#include "fuzz.h"

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

sherd_world *fuzz_world(const sherd_scene *scene, sherd_scene_build *build)
{
    sherd_error error = {0};
    sherd_world *world = sherd_scene_create_world(scene, 1, build, &error);
    if (world == NULL || sherd_world_advance(world, 2e-4, &error) != SHERD_OK) give_up(error.what);
    return world;
}
