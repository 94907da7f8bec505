// sherd bench breakage: cost of a step before any bond has broken and when half of them have, with
// the contacts that took their place.
//
// A block with walls around it is crushed under its own weight. Strengths scatter widely and bonds
// break under pressure as well, so that those that break are spread at random; their ends stay
// pressed together.
#include "bench/benchmarks.h"
#include "clock.h"
#include "message.h"

#include <sherd/world.h>

#include <math.h>
#include <stdio.h>

static const double ELEMENTS = 2e5;

enum { STEPS = 20, MAX_STEPS = 3000 };

typedef struct breakage_state {
    value_statistics step; // [ms]
    double broken;         // share of all bonds
    int64_t bonds, touching;
    int elements;
} breakage_state;

static bool add_block(sherd_world *world, double edge, double strength, int threads,
                      sherd_error *error)
{
    sherd_shape *box = sherd_shape_box((sherd_vec3){edge, edge, edge}, error);
    sherd_packing *packing = bench_pack(box, 0.0, threads, error);
    if (packing == NULL) return false;
    sherd_material_def material = sherd_material_def_default();
    material.breakage = SHERD_BREAKAGE_ABSOLUTE;
    material.tensile_strength = material.shear_strength = strength;
    material.weibull_modulus = 1.0;
    return bench_add_body(world, packing, &material, sherd_body_def_default(), error);
}

static sherd_world *make_world(double strength, int threads, sherd_error *error)
{
    double edge = cbrt(ELEMENTS * 4.0 * sqrt(2.0)) * BENCH_RADIUS;
    sherd_world_def def = sherd_world_def_default();
    def.sleep = false; // what is measured is the work of elements that are awake
    def.threads = threads;
    def.gravity.z *= 1000.0; // a pressure of some 2 MPa at the floor
    sherd_world *world = sherd_world_create(&def, error);
    if (world != NULL && add_block(world, edge, strength, threads, error) &&
        bench_add_walls(world, edge, error))
        return world;
    sherd_world_destroy(world);
    return NULL;
}

static double broken_share(const sherd_world *world)
{
    sherd_bond_view bonds = sherd_world_bonds(world);
    return (double)bonds.broken_count / (double)bonds.count;
}

// From when at least `share` of the bonds have broken.
static sherd_status run_from(sherd_world *world, double share, breakage_state *state,
                             sherd_error *error)
{
    sherd_status status = sherd_world_step(world, STEPS, error);
    while (status == SHERD_OK && broken_share(world) < share &&
           sherd_world_step_count(world) < MAX_STEPS)
        status = sherd_world_step(world, 1, error);
    double step[BENCH_REPEATS];
    for (int k = 0; k < BENCH_REPEATS && status == SHERD_OK; ++k) {
        double start = clock_seconds();
        status = sherd_world_step(world, STEPS, error);
        step[k] = 1e3 * (clock_seconds() - start) / STEPS;
    }
    if (status != SHERD_OK) return status;
    state->step = value_statistics_of(step, BENCH_REPEATS);
    state->broken = broken_share(world);
    state->bonds = sherd_world_bonds(world).count;
    state->touching = sherd_world_touching_count(world);
    state->elements = sherd_world_elements(world).count;
    return SHERD_OK;
}

static sherd_status run_state(double strength, double share, int threads, breakage_state *state,
                              sherd_error *error)
{
    sherd_world *world = make_world(strength, threads, error);
    sherd_status status = world != NULL ? run_from(world, share, state, error) : error->status;
    sherd_world_destroy(world);
    return status;
}

static void print_state(const char *name, const breakage_state *s, int threads, bool json)
{
    if (json)
        printf(
            "  {\"case\": \"crushed-200k\", \"metric\": \"%s\", \"value\": %.6g, \"unit\": "
            "\"ms\", \"threads\": %d, \"elements\": %d, \"bonds\": %lld, \"broken_share\": %.4g, "
            "\"contacts\": %lld}",
            name, s->step.median, threads, s->elements, (long long)s->bonds, s->broken,
            (long long)s->touching);
    else
        printf("%-12s %9d %10lld %7.1f %% %10lld %8d %9.2f %7.0f %%\n", name, s->elements,
               (long long)s->bonds, 100.0 * s->broken, (long long)s->touching, threads,
               s->step.median, 100.0 * s->step.spread);
}

int bench_breakage(const command_options *options)
{
    // Mean strengths: never, and such that somewhat more than half of the bonds can't bear the load.
    const double whole = 1e18, brittle = 7e5;
    int threads = options->threads > 0 ? options->threads : 4;
    breakage_state before = {0}, after = {0};
    sherd_error error = {0};
    if (run_state(whole, 0.0, threads, &before, &error) != SHERD_OK ||
        run_state(brittle, 0.5, threads, &after, &error) != SHERD_OK)
        return message_error(&error);
    if (options->json)
        printf("[\n");
    else
        printf("%-12s %9s %10s %9s %10s %8s %9s %9s\n", "case", "elements", "bonds", "broken",
               "touching", "threads", "ms/step", "spread");
    print_state("whole", &before, threads, options->json);
    if (options->json) printf(",\n");
    print_state("half-broken", &after, threads, options->json);
    if (options->json) {
        printf("\n]\n");
    } else {
        double more = after.step.median - before.step.median;
        printf("\n%.2f ms more for %lld contacts: %.1f M contact-steps/s\n", more,
               (long long)after.touching, 1e-3 * (double)after.touching / more);
    }
    return EXIT_DONE;
}
