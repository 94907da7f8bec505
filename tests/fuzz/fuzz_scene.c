// Scene files: read, and where the scene is small, packed and stepped. The mutator works on the words of
// YAML's flow style: it replaces, repeats, removes and exchanges values, and changes numbers and units.
#include "fuzz.h"
#include "scene/scene_overlap.h"

#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Elements of a body at most: more are refused by the packing itself.
enum { MAX_ELEMENTS = 150, MAX_BODIES = 4, MAX_OBSTACLES = 8 };

// Gives the scene its limits. False for what takes seconds, or runs another program.
static bool make_small(sherd_scene *scene)
{
    for (int k = 0; k < scene->body_count; ++k) {
        sherd_packing_def *packing = &scene->bodies[k].packing;
        sherd_yarn_def *yarn = &scene->bodies[k].yarn;
        if (packing->max_elements > MAX_ELEMENTS) packing->max_elements = MAX_ELEMENTS;
        if (yarn->max_elements > MAX_ELEMENTS) yarn->max_elements = MAX_ELEMENTS;
        if (packing->tetra.generator == SHERD_TETRA_GMSH) return false;
    }
    for (int k = 0; k < scene->material_count; ++k)
        if (scene->materials[k].calibrate) return false;
    return scene->body_count <= MAX_BODIES && scene->obstacle_count <= MAX_OBSTACLES;
}

static double speed_of(sherd_vec3 v, sherd_vec3 turning)
{
    const double reach = 0.1; // m
    return fabs(v.x) + fabs(v.y) + fabs(v.z) +
           reach * (fabs(turning.x) + fabs(turning.y) + fabs(turning.z));
}

// Whether something moves by itself so fast that fuzz_step does not see it before.
static bool is_driven_fast(const sherd_motion *motion)
{
    const double most = 500.0; // m/s
    if (speed_of(motion->velocity, motion->angular_velocity) > most) return true;
    for (int k = 1; k < motion->key_count; ++k) {
        const sherd_motion_key *a = &motion->keys[k - 1], *b = &motion->keys[k];
        sherd_vec3 move = {b->translation.x - a->translation.x, b->translation.y - a->translation.y,
                           b->translation.z - a->translation.z};
        sherd_vec3 turn = {b->rotation.x - a->rotation.x, b->rotation.y - a->rotation.y,
                           b->rotation.z - a->rotation.z};
        if (speed_of(move, turn) > most * (b->time - a->time)) return true;
    }
    return false;
}

static bool is_fast(const sherd_scene *scene)
{
    for (int k = 0; k < scene->obstacle_count; ++k) {
        const sherd_obstacle_def *def = &scene->obstacles[k].def;
        if (is_driven_fast(&def->motion) || speed_of(def->velocity, def->angular_velocity) > 500.0)
            return true;
    }
    for (int k = 0; k < scene->driver_count; ++k)
        if (is_driven_fast(&scene->drivers[k].def.motion)) return true;
    return false;
}

// Three steps of any method, and not beyond twenty of the explicit ones, which regions make by themselves.
static void step(const sherd_scene *scene)
{
    sherd_error error = {0};
    sherd_scene_build build = {0};
    sherd_scene_overlap overlaps[4];
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, &error);
    if (world == NULL) return;
    sherd_scene_overlaps(scene, &build, overlaps, 4);
    double until = fmin(scene->duration, 20.0 * sherd_world_stable_time_step(world, &error));
    if (!is_fast(scene) && until > 0.0 && fuzz_step(world, until, 3, &error) == SHERD_OK)
        sherd_world_check(world, &error);
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene =
        sherd_scene_parse((const char *)data, size, "/nowhere/fuzz.yaml", NULL, &diagnostics);
    if ((scene == NULL) != (diagnostics.count > 0)) abort(); // an error, or a scene
    if (scene != NULL && make_small(scene)) step(scene);
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
