// sherd bench contact: a box of loose grains that settles, as touching contacts times steps per
// second.
#include "bench/benchmarks.h"
#include "clock.h"
#include "message.h"

#include <sherd/world.h>

#include <math.h>
#include <stdio.h>

static const double GRAINS = 2e5;

typedef struct contact_result {
    value_statistics rate; // million contact steps per second
    sherd_memory_use memory;
    int64_t contacts; // touching, at the end
    int grains, threads;
} contact_result;

static bool add_grains(sherd_world *world, double edge, int threads, sherd_error *error)
{
    sherd_shape *box = sherd_shape_box((sherd_vec3){edge, edge, edge}, error);
    sherd_packing *packing = bench_pack(box, 0.02, threads, error);
    if (packing == NULL) return false;
    for (int k = 0; k < packing->count; ++k)
        packing->radius[k] *= 0.97; // no overlaps to begin with
    sherd_material_def material = sherd_material_def_default();
    material.youngs_modulus = 1e8;
    material.shear_modulus = 4e7;
    sherd_body_def body = sherd_body_def_default();
    body.bonding = SHERD_BONDING_NONE;
    return bench_add_body(world, packing, &material, body, error);
}

static sherd_status run_settling(sherd_world *world, contact_result *result, sherd_error *error)
{
    double rate[BENCH_REPEATS];
    sherd_status status = sherd_world_step(world, 600, error); // most of it touches by then
    for (int k = 0; k < BENCH_REPEATS && status == SHERD_OK; ++k) {
        enum { STEPS = 50 };
        double contacts = 0.0, start = clock_seconds();
        for (int s = 0; s < STEPS && status == SHERD_OK; ++s) {
            status = sherd_world_step(world, 1, error);
            contacts += (double)sherd_world_touching_count(world);
        }
        rate[k] = 1e-6 * contacts / (clock_seconds() - start);
    }
    if (status != SHERD_OK) return status;
    result->rate = value_statistics_of(rate, BENCH_REPEATS);
    result->grains = sherd_world_elements(world).count;
    result->contacts = sherd_world_touching_count(world);
    result->memory = sherd_world_memory(world);
    return SHERD_OK;
}

static sherd_status run_case(int threads, contact_result *result, sherd_error *error)
{
    double edge = cbrt(GRAINS * 4.0 * sqrt(2.0)) * BENCH_RADIUS;
    sherd_world_def def = sherd_world_def_default();
    def.sleep = false; // what is measured is the work of elements that are awake
    def.threads = threads;
    def.gravity.z *= 1000.0; // settles within some hundred steps
    result->threads = threads;
    sherd_world *world = sherd_world_create(&def, error);
    bool ready = world != NULL && add_grains(world, edge, threads, error) &&
                 bench_add_walls(world, edge, error);
    sherd_status status = ready ? run_settling(world, result, error) : error->status;
    sherd_world_destroy(world);
    return status;
}

static void print_metric(const contact_result *r, const char *metric, double value,
                         const char *unit)
{
    printf("  {\"case\": \"grains-200k\", \"metric\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", "
           "\"threads\": %d, \"elements\": %d, \"contacts\": %lld}",
           metric, value, unit, r->threads, r->grains, (long long)r->contacts);
}

static void print_json(const contact_result *r, double all, double contacts)
{
    printf("[\n");
    print_metric(r, "contact_steps", r->rate.median, "M/s");
    printf(",\n");
    print_metric(r, "spread", r->rate.spread, "1");
    printf(",\n");
    print_metric(r, "bytes_per_element", all, "B");
    printf(",\n");
    print_metric(r, "bytes_per_element_of_contacts", contacts, "B");
    printf("\n]\n");
}

int bench_contact(const command_options *options)
{
    contact_result r = {0};
    sherd_error error = {0};
    int threads = options->threads > 0 ? options->threads : 4;
    if (run_case(threads, &r, &error) != SHERD_OK) return message_error(&error);
    double all = (double)r.memory.total / r.grains, contacts = (double)r.memory.contacts / r.grains;
    if (options->json)
        print_json(&r, all, contacts);
    else
        printf("%-12s %9s %10s %8s %17s %9s %10s %12s\n"
               "%-12s %9d %10lld %8d %17.1f %7.0f %% %10.0f %12.0f\n",
               "case", "elements", "touching", "threads", "M contact-steps/s", "spread",
               "B/element", "of contacts", "grains-200k", r.grains, (long long)r.contacts, threads,
               r.rate.median, 100.0 * r.rate.spread, all, contacts);
    return EXIT_DONE;
}
