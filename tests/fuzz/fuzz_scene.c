// Scene files: read, and where the scene is small, packed and stepped. The mutator works on the words of
// YAML's flow style: it replaces, repeats, removes and exchanges values, and changes numbers and units.
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// About how many elements a body takes; infinite when that can't be told cheaply, or takes long.
static double element_count(const sherd_scene *scene, int k)
{
    const sherd_scene_body *body = &scene->bodies[k];
    bool lattice = body->packing.kind == SHERD_PACKING_HCP ||
                   body->packing.kind == SHERD_PACKING_CUBIC ||
                   body->packing.kind == SHERD_PACKING_HEX_LAYERS;
    if (body->is_yarn || body->shape == NULL || !lattice || !(body->packing.radius > 0.0))
        return INFINITY;
    sherd_bounds box = sherd_shape_bounds(body->shape);
    double r = body->packing.radius, x = (box.high.x - box.low.x) / r + 2.0;
    return x * ((box.high.y - box.low.y) / r + 2.0) * ((box.high.z - box.low.z) / r + 2.0);
}

static bool is_small(const sherd_scene *scene)
{
    double elements = 0.0;
    for (int k = 0; k < scene->body_count; ++k)
        elements += element_count(scene, k);
    for (int k = 0; k < scene->material_count; ++k)
        if (scene->materials[k].calibrate) return false; // takes seconds
    return elements < 2000.0 && scene->obstacle_count < 10 && scene->body_count < 4;
}

static void step(sherd_scene *scene)
{
    sherd_error error = {0};
    sherd_scene_build build = {0};
    scene->world.method = SHERD_METHOD_EXPLICIT;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, &error);
    if (world != NULL && sherd_world_stable_time_step(world, &error) > 0.0)
        sherd_world_step(world, 3, &error);
    if (world != NULL) sherd_world_destroy(world);
    sherd_scene_build_free(&build);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene =
        sherd_scene_parse((const char *)data, size, "/nowhere/fuzz.yaml", NULL, &diagnostics);
    if ((scene == NULL) != (diagnostics.count > 0)) abort(); // an error, or a scene
    if (scene != NULL && is_small(scene)) step(scene);
    sherd_scene_destroy(scene);
    sherd_diagnostics_free(&diagnostics);
    return 0;
}

// ---------------------------------------------------------------- mutator

typedef struct span {
    size_t begin, end;
} span;

static bool separates(uint8_t c)
{
    return strchr("{}[],:\n", c) != NULL; // the zero byte too
}

// A value between two separators, blanks around it left out.
static span pick(const uint8_t *data, size_t size, uint32_t *seed)
{
    span s = {fuzz_random(seed) % (size + 1), 0};
    while (s.begin > 0 && !separates(data[s.begin - 1]))
        --s.begin;
    while (s.begin < size && data[s.begin] == ' ')
        ++s.begin;
    for (s.end = s.begin; s.end < size && !separates(data[s.end]);)
        ++s.end;
    return s;
}

// From the beginning of a line to its end.
static span pick_line(const uint8_t *data, size_t size, uint32_t *seed)
{
    span s = {fuzz_random(seed) % (size + 1), 0};
    while (s.begin > 0 && data[s.begin - 1] != '\n')
        --s.begin;
    for (s.end = s.begin; s.end < size && data[s.end] != '\n';)
        ++s.end;
    s.end += s.end < size;
    return s;
}

static size_t replace(uint8_t *data, size_t size, size_t max_size, span s, const uint8_t *by,
                      size_t length)
{
    size_t left = size - (s.end - s.begin);
    if (left + length > max_size) return size;
    memmove(data + s.begin + length, data + s.end, size - s.end);
    memcpy(data + s.begin, by, length);
    return left + length;
}

static size_t number(char text[64], uint32_t *seed)
{
    static const char *const VALUES[] = {
        "0",      "-1",   "1",   "1e308", "-1e308", "1e-308",    "1e-20",      "inf",
        "-inf",   "nan",  "0.5", "1e12",  "1e15",   "1e9",       "2147483648", "1e-30",
        "3e-300", "1e60", "-0",  "0x10",  "1e400",  "4294967296"};
    static const char *const UNITS[] = {"",    "",     "",    " mm",  " m", " ms",    " s",  " GPa",
                                        " kg", " deg", " Hz", " m/s", " N", " m/s^2", " rpm"};
    uint32_t v = fuzz_random(seed) % (sizeof VALUES / sizeof *VALUES + 8);
    uint32_t u = fuzz_random(seed) % (sizeof UNITS / sizeof *UNITS);
    if (v < sizeof VALUES / sizeof *VALUES)
        return (size_t)snprintf(text, 64, "%s%s", VALUES[v], UNITS[u]);
    return (size_t)snprintf(text, 64, "%.3g%s", pow(10.0, (double)(fuzz_random(seed) % 24) - 12.0),
                            UNITS[u]);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint32_t random = seed;
    uint8_t copy[512];
    char text[64];
    uint32_t what = fuzz_random(&random) % 10;
    if (what < 3 || size == 0) return LLVMFuzzerMutate(data, size, max_size);
    bool lines = what == 3 || what == 4;
    span to = lines ? pick_line(data, size, &random) : pick(data, size, &random);
    span from = lines ? pick_line(data, size, &random) : pick(data, size, &random);
    if (what == 5) to.end = to.begin;     // insert
    if (what == 6) from.end = from.begin; // remove
    if (what >= 7)
        return replace(data, size, max_size, to, (const uint8_t *)text, number(text, &random));
    size_t length = from.end - from.begin < sizeof copy ? from.end - from.begin : sizeof copy;
    memcpy(copy, data + from.begin, length);
    return replace(data, size, max_size, to, copy, length);
}
