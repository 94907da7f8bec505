// sherd bench spheres: the spheres of [MPMG] Table 1 in twelve orientations and places against the grid, by its contact of
// pairs and by ours; what the three that are hit differ by, which they would not without a grid.
#include "bench/benchmarks.h"
#include "message.h"

#include "research/points_spheres.h"

#include <math.h>
#include <stdio.h>

enum { ORIENTATIONS = 12, REDUCED = 3 };

// One third of a turn in steps, and a place in the cell (of 0.2 m) that goes through all of it.
static points_spheres_def orientation(int k, bool paper, int threads)
{
    points_spheres_def def = {.paper = paper, .threads = threads};
    def.turn = 2.0 * M_PI / 3.0 * (double)k / ORIENTATIONS;
    const double golden[3] = {0.8191725, 0.6710436,
                              0.5497005}; // quasi-random: powers of 1 / 1.2207
    for (int axis = 0; axis < 3; ++axis)
        def.shift[axis] = 0.2 * fmod((double)k * golden[axis], 1.0);
    return def;
}

typedef struct summary {
    double squares, most;
    int runs;
} summary;

static void print_run(int k, const points_spheres_def *def, const points_spheres *r, bool json)
{
    const char *name = def->paper ? "paper" : "surfaces";
    if (json)
        printf("%s\n  {\"case\": \"spheres\", \"contact\": \"%s\", \"orientation\": %d, "
               "\"spread\": %.6g, \"y_m\": [%.6g, %.6g, %.6g], "
               "\"speed_m_s\": [%.6g, %.6g, %.6g], \"energy\": %.6g, \"momentum_error\": %.3g}",
               k == 0 && def->paper ? "" : ",", name, k, r->spread, r->y[0], r->y[1], r->y[2],
               r->speed[0], r->speed[1], r->speed[2], r->energy, r->momentum);
    else
        printf("%-9s %4d %9.2f %% %8.3f %8.3f %8.3f %7.3f %7.3f %7.3f %8.3f %10.1e %9lld\n", name,
               k, 100.0 * r->spread, r->y[0], r->y[1], r->y[2], r->speed[0], r->speed[1],
               r->speed[2], r->energy, r->momentum, r->unsolved);
    fflush(stdout);
}

static sherd_status run_all(const command_options *options, bool paper, summary *sum,
                            sherd_error *error)
{
    int threads = options->threads > 0 ? options->threads : 1,
        count = options->reduced ? REDUCED : ORIENTATIONS;
    for (int k = 0; k < count; ++k) {
        points_spheres_def def = orientation(k, paper, threads);
        points_spheres result;
        sherd_status status = points_spheres_run(&def, &result, error);
        if (status != SHERD_OK) return status;
        print_run(k, &def, &result, options->json);
        sum->squares += result.spread * result.spread, ++sum->runs;
        sum->most = fmax(sum->most, result.spread);
    }
    return SHERD_OK;
}

static void print_summary(const summary *s, const char *name, bool json)
{
    double rms = sqrt(s->squares / s->runs);
    if (json)
        printf(",\n  {\"case\": \"spheres\", \"contact\": \"%s\", \"spread_rms\": %.6g, "
               "\"spread_largest\": %.6g}",
               name, rms, s->most);
    else
        printf("%-9s spread: %.2f %% rms, %.2f %% at most\n", name, 100.0 * rms, 100.0 * s->most);
}

int bench_mpm_spheres(const command_options *options)
{
    summary sum[2] = {{0.0, 0.0, 0}, {0.0, 0.0, 0}};
    sherd_error error = {0};
    if (options->json)
        printf("[");
    else
        printf("%-9s %4s %11s %26s %23s %8s %10s %9s\n", "contact", "no.", "spread", "y [m]",
               "speed [m/s]", "energy", "momentum", "unsolved");
    for (int k = 0; k < 2; ++k)
        if (run_all(options, k == 0, &sum[k], &error) != SHERD_OK) return message_error(&error);
    print_summary(&sum[0], "paper", options->json);
    print_summary(&sum[1], "surfaces", options->json);
    if (options->json) printf("\n]\n");
    return EXIT_DONE;
}
