// sherd bench regions: four beams far apart. One is hit by a block and breaks, the others are held at one end and
// pulled slowly at the other. Processor time of explicit steps, of auto for all of the world, and of auto by regions.
#include "bench/benchmarks.h"
#include "message.h"

#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <time.h>

static const double LENGTH = 0.12, ACROSS = 0.016, APART = 0.2; // [m]
static const double SPAN = 4000.0;                              // [T]

enum { BEAMS = 4, FRAMES = 4 };

typedef struct way {
    const char *name;
    sherd_method method;
    bool regions;
} way;

typedef struct outcome {
    double seconds, force; // processor time [s]; of the last puller, mean over the last frame [N]
    int elements;
    int64_t broken;
    sherd_solver_counts counts;
} outcome;

static bool add_beam(sherd_world *world, sherd_vec3 size, sherd_vec3 at, double speed,
                     double strength, sherd_error *error)
{
    sherd_packing *packing = bench_pack(sherd_shape_box(size, error), 0.0, 1, error);
    if (packing == NULL) return false;
    sherd_material_def material = sherd_material_def_default();
    material.youngs_modulus = 100e6;
    material.shear_modulus = 40e6;
    material.tensile_strength = material.shear_strength = strength;
    material.bond_damping = 0.05;
    sherd_body_def body = sherd_body_def_default();
    body.pose.position = at;
    body.velocity.z = -speed;
    return bench_add_body(world, packing, &material, body, error);
}

static sherd_driver_id hold(sherd_world *world, double x, double y, double speed,
                            sherd_error *error)
{
    sherd_driver_def def = sherd_driver_def_default();
    sherd_shape *end = sherd_shape_box((sherd_vec3){0.5 * ACROSS, 4 * ACROSS, 4 * ACROSS}, error);
    def.drive = SHERD_DRIVE_MOTION;
    def.motion.velocity.x = speed;
    def.region.shape = end;
    def.region.pose.position = (sherd_vec3){x, y, 0.0};
    sherd_driver_id id = sherd_world_add_driver(world, &def, error);
    sherd_shape_destroy(end);
    return id;
}

static sherd_world *make_world(const way *by, sherd_driver_id *puller, sherd_error *error)
{
    sherd_world_def def = sherd_world_def_default();
    def.method = by->method;
    def.regions = by->regions;
    def.threads = 1;
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    sherd_world *world = sherd_world_create(&def, error);
    if (world == NULL) return NULL;
    const sherd_vec3 beam = {LENGTH, ACROSS, ACROSS}, shot = {ACROSS, ACROSS, ACROSS};
    bool done = add_beam(world, beam, (sherd_vec3){0.0, 0.0, 0.0}, 0.0, 0.8e6, error) &&
                add_beam(world, shot, (sherd_vec3){0.0, 0.0, 1.2 * ACROSS}, 8.0, 1e9, error);
    for (int k = 1; k < BEAMS && done; ++k) {
        double y = APART * k;
        done = add_beam(world, beam, (sherd_vec3){0.0, y, 0.0}, 0.0, 1e9, error) &&
               hold(world, -0.5 * LENGTH, y, 0.0, error).index1 != 0;
        if (done) *puller = hold(world, 0.5 * LENGTH, y, 0.01, error);
        done = done && puller->index1 != 0;
    }
    if (done) return world;
    sherd_world_destroy(world);
    return NULL;
}

static sherd_status run_way(const way *by, outcome *out, sherd_error *error)
{
    sherd_driver_id puller = {0};
    sherd_world *world = make_world(by, &puller, error);
    if (world == NULL) return error->status;
    double frame = SPAN / FRAMES * sherd_world_stable_time_step(world, error);
    sherd_status status = frame > 0.0 ? SHERD_OK : error->status;
    if (status == SHERD_OK && by->method == SHERD_METHOD_EXPLICIT)
        status = sherd_world_set_time_step(world, frame / ceil(SPAN / FRAMES / 0.85), error);
    clock_t start = clock();
    for (int f = 1; f <= FRAMES && status == SHERD_OK; ++f) {
        sherd_world_reset_probes(world);
        status = sherd_world_advance(world, f * frame, error);
    }
    out->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    out->force = sherd_world_probe_driver(world, puller).force.x;
    out->elements = sherd_world_elements(world).count;
    out->broken = sherd_world_bonds(world).broken_count;
    out->counts = sherd_world_solver_counts(world);
    sherd_world_destroy(world);
    return status;
}

int bench_regions(const command_options *options)
{
    const way ways[] = {{"explicit", SHERD_METHOD_EXPLICIT, false},
                        {"auto, whole", SHERD_METHOD_AUTO, false},
                        {"auto, regions", SHERD_METHOD_AUTO, true}};
    const size_t count = sizeof ways / sizeof ways[0];
    printf(options->json ? "[\n" : "%-14s %9s %9s %9s %9s %9s %9s\n", "stepping", "elements",
           "CPU s", "pull N", "broken", "explicit", "implicit");
    for (size_t k = 0; k < count; ++k) {
        outcome out = {.elements = 0};
        sherd_error error = {0};
        if (run_way(&ways[k], &out, &error) != SHERD_OK) return message_error(&error);
        printf(options->json ? "  {\"case\": \"%s\", \"elements\": %d, \"cpu_s\": %.4g, "
                               "\"pull_n\": %.6g, \"broken\": %lld, \"explicit_steps\": %lld, "
                               "\"implicit_steps\": %lld}"
                             : "%-14s %9d %9.2f %9.4g %9lld %9lld %9lld",
               ways[k].name, out.elements, out.seconds, out.force, (long long)out.broken,
               (long long)out.counts.explicit_steps, (long long)out.counts.implicit_steps);
        printf(options->json && k + 1 < count ? ",\n" : "\n");
    }
    if (options->json) printf("]\n");
    return EXIT_DONE;
}
