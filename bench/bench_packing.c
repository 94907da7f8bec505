// sherd bench packing: seconds to fill a ball with a random close packing, and how good it is.
#include "bench/benchmarks.h"
#include "clock.h"
#include "message.h"

#include <math.h>
#include <stdio.h>

typedef struct packing_case {
    const char *name;
    double elements;  // about
    double size_high; // 1: all alike; else sizes from 0.9 of the radius, as in [BDEM21] Fig. 18
} packing_case;

typedef struct packing_result {
    double seconds;
    const sherd_packing *packing;
    int threads;
} packing_result;

static sherd_packing *pack(const packing_case *c, int threads, double *seconds, sherd_error *error)
{
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = SHERD_PACKING_RANDOM;
    def.radius = 1e-3;
    def.threads = threads;
    def.size_high = c->size_high;
    def.size_low = c->size_high > 1.0 ? 0.9 : 1.0;
    // Mean cube of radii that are uniform between two, over about 0.62 of the ball.
    double a = def.size_low, b = def.size_high;
    double cube = (a + b) * (a * a + b * b) / 4.0 * def.radius * def.radius * def.radius;
    sherd_shape *shape = sherd_shape_sphere(cbrt(c->elements * cube / 0.62), error);
    if (shape == NULL) return NULL;
    double start = clock_seconds();
    sherd_packing *packing = sherd_packing_create(shape, &def, error);
    *seconds = clock_seconds() - start;
    sherd_shape_destroy(shape);
    return packing;
}

static void print_result(const char *name, const packing_result *r, bool json, bool first)
{
    const sherd_packing *p = r->packing;
    double gap = p->surface_gap_mean / p->lattice_radius;
    if (!json) {
        printf("%-14s %9d %8d %9.2f %10.4f %10.2f %10.4f\n", name, p->count, r->threads, r->seconds,
               p->solid_fraction, p->bonds_per_element, gap);
        fflush(stdout);
        return;
    }
    const char *metrics[] = {"pack", "solid_fraction", "bonds_per_element", "surface_gap"};
    const char *units[] = {"s", "1", "1", "radius"};
    const double values[] = {r->seconds, p->solid_fraction, p->bonds_per_element, gap};
    for (int k = 0; k < 4; ++k)
        printf("%s\n  {\"case\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", "
               "\"threads\": %d, \"elements\": %d, \"bonds\": %lld}",
               first && k == 0 ? "" : ",", name, metrics[k], values[k], units[k], r->threads,
               p->count, (long long)p->bond_count);
}

int bench_packing(const command_options *options)
{
    const packing_case cases[] = {
        {"equal-20k", 2e4, 1.0}, {"equal-200k", 2e5, 1.0}, {"sizes-200k", 2e5, 4.0}};
    packing_result result = {.threads = options->threads > 0 ? options->threads : 4};
    if (options->json)
        printf("[");
    else
        printf("%-14s %9s %8s %9s %10s %10s %10s\n", "case", "elements", "threads", "seconds",
               "fraction", "bonds each", "gap / r");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        sherd_error error = {0};
        sherd_packing *packing = pack(&cases[k], result.threads, &result.seconds, &error);
        if (packing == NULL) return message_error(&error);
        result.packing = packing;
        print_result(cases[k].name, &result, options->json, k == 0);
        sherd_packing_destroy(packing);
    }
    if (options->json) printf("\n]\n");
    return EXIT_DONE;
}
