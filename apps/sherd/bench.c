// sherd bench explicit: bond steps per second and bytes per element and bond on HCP blocks.
#include "commands.h"
#include "message.h"
#include "run_loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 5 };

typedef struct bench_case {
    const char *name;
    double elements;
} bench_case;

typedef struct bench_result {
    double million_bond_steps; // per second, median
    double spread;             // (max - min) / median
    double bytes_per_element, bytes_per_bond;
    int elements, threads;
    int64_t bonds;
} bench_result;

// A block that stretches and twists a little, strong enough not to break: the breakage test runs on
// every bond.
static sherd_world *make_block(double elements, int threads, sherd_error *error)
{
    const double radius = 1e-3;
    double edge = cbrt(elements * 4.0 * sqrt(2.0)) * radius; // an HCP element fills 4 sqrt(2) r^3
    sherd_shape *box = sherd_shape_box((sherd_vec3){edge, edge, edge}, error);
    if (box == NULL) return NULL;
    sherd_packing_def packing_def = sherd_packing_def_default();
    packing_def.radius = radius;
    packing_def.threads = threads;
    sherd_packing *packing = sherd_packing_create(box, &packing_def, error);
    sherd_shape_destroy(box);
    if (packing == NULL) return NULL;
    sherd_world_def def = sherd_world_def_default();
    def.threads = threads;
    sherd_world *world = sherd_world_create(&def, error);
    sherd_material_def material = sherd_material_def_default();
    material.tensile_strength = material.shear_strength = 1e12;
    sherd_body_def body = sherd_body_def_default();
    body.count = packing->count;
    body.x = packing->x, body.y = packing->y, body.z = packing->z, body.radius = packing->radius;
    body.angular_velocity = (sherd_vec3){1.0, 2.0, 3.0};
    if (world != NULL) body.material = sherd_world_add_material(world, &material, error);
    bool ready = world != NULL && body.material.index1 != 0 &&
                 sherd_world_add_body(world, &body, error).index1 != 0;
    sherd_packing_destroy(packing);
    if (ready) return world;
    sherd_world_destroy(world);
    return NULL;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static sherd_status run_case(double elements, int threads, bench_result *result, sherd_error *error)
{
    sherd_world *world = make_block(elements, threads, error);
    if (world == NULL) return error->status;
    *result = (bench_result){.threads = threads,
                             .elements = sherd_world_elements(world).count,
                             .bonds = sherd_world_bonds(world).count};
    int64_t steps = (int64_t)fmax(5.0, 2e7 / (double)result->bonds);
    sherd_status status = sherd_world_step(world, steps / 2 + 2, error); // warm-up, first search
    double rate[REPEATS];
    for (int k = 0; k < REPEATS && status == SHERD_OK; ++k) {
        double start = clock_seconds();
        status = sherd_world_step(world, steps, error);
        rate[k] = 1e-6 * (double)steps * (double)result->bonds / (clock_seconds() - start);
    }
    if (status == SHERD_OK) {
        qsort(rate, REPEATS, sizeof rate[0], compare_doubles);
        sherd_memory_use memory = sherd_world_memory(world);
        result->million_bond_steps = rate[REPEATS / 2];
        result->spread = (rate[REPEATS - 1] - rate[0]) / rate[REPEATS / 2];
        result->bytes_per_element = (double)memory.elements / result->elements;
        result->bytes_per_bond = (double)memory.bonds / (double)result->bonds;
    }
    sherd_world_destroy(world);
    return status;
}

static void print_metric(const char *name, const char *metric, double value, const char *unit,
                         const bench_result *r, bool *first)
{
    printf("%s\n  {\"case\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", "
           "\"threads\": %d, \"elements\": %d, \"bonds\": %lld}",
           *first ? "" : ",", name, metric, value, unit, r->threads, r->elements,
           (long long)r->bonds);
    *first = false;
}

static void print_case(const char *name, const bench_result *r, bool json, bool *first)
{
    if (json) {
        print_metric(name, "bond_steps", r->million_bond_steps, "M/s", r, first);
        print_metric(name, "spread", r->spread, "1", r, first);
        print_metric(name, "bytes_per_element", r->bytes_per_element, "B", r, first);
        print_metric(name, "bytes_per_bond", r->bytes_per_bond, "B", r, first);
    } else {
        printf("%-14s %9d %10lld %8d %14.1f %8.0f %% %10.0f %10.0f\n", name, r->elements,
               (long long)r->bonds, r->threads, r->million_bond_steps, 100.0 * r->spread,
               r->bytes_per_element, r->bytes_per_bond);
    }
    fflush(stdout);
}

int command_bench(const command_options *options)
{
    if (options->input != NULL && strcmp(options->input, "surface") == 0)
        return bench_surface(options);
    if (options->input != NULL && strcmp(options->input, "explicit") != 0)
        return message_usage("unknown benchmark", options->input, "there are: explicit, surface");
    const bench_case cases[] = {{"hcp-20k", 2e4}, {"hcp-200k", 2e5}, {"hcp-1m", 1e6}};
    int threads = options->threads > 0 ? options->threads : 4;
    bool first = true;
    if (options->json)
        printf("[");
    else
        printf("%-14s %9s %10s %8s %14s %10s %10s %10s\n", "case", "elements", "bonds", "threads",
               "M bond-steps/s", "spread", "B/element", "B/bond");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        bench_result result = {0};
        sherd_error error = {0};
        if (run_case(cases[k].elements, threads, &result, &error) != SHERD_OK)
            return message_error(&error);
        print_case(cases[k].name, &result, options->json, &first);
    }
    if (options->json) printf("\n]\n");
    return EXIT_DONE;
}
