// sherd bench mpm: steps of material points per second of processor time, beside the machine's peak of multiply-adds; and
// what many bodies cost beside the same points as one, turn about; what gradients cost, and a run beside its steps.
#include "bench/benchmarks.h"
#include "bench/mpm_cube.h"
#include "clock.h"
#include "message.h"

#include "research/points_rate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct mpm_case {
    const char *name;
    points_rate_def def;
    bool compared; // with the same points as one body
} mpm_case;

// 100^3 points; with --reduced 40^3.
#define ONE                                                                                        \
    {                                                                                              \
        1, 1, 1                                                                                    \
    }
#define MILLION                                                                                    \
    {                                                                                              \
        100, 100, 100                                                                              \
    }
// 98 wooden blocks of [MPMG] Fig. 5 with 735 points each, 18 of 10,648: that touch on all sides, that share nodes a spacing
// apart, and that do not meet. A block of the tearing example's 35,000 points in two and in nine pieces. `pairwise` and `force` are
// the paper's own contact and glue.
static const mpm_case CASES[] = {
    {"cubic-flip", {true, false, "neo_hookean", ONE, MILLION, 0.0, true, 0, 1, false}, false},
    {"cubic-apic", {true, true, "neo_hookean", ONE, MILLION, 0.0, true, 0, 1, false}, false},
    {"quadratic-flip", {false, false, "neo_hookean", ONE, MILLION, 0.0, true, 0, 1, false}, false},
    {"quadratic-apic", {false, true, "neo_hookean", ONE, MILLION, 0.0, true, 0, 1, false}, false},
    {"corotated", {true, false, "corotated", ONE, MILLION, 0.0, true, 0, 1, false}, false},
    {"hencky", {true, false, "hencky", ONE, MILLION, 0.0, true, 0, 1, false}, false},
    {"snow", {true, false, "snow", ONE, MILLION, 0.0, true, 0, 1, false}, false},
    {"sand", {true, false, "sand", ONE, MILLION, 0.0, true, 0, 1, false}, false},
    {"fluid", {true, false, "fluid", ONE, MILLION, 0.0, true, 0, 1, false}, false},
    {"kubb-735",
     {true, false, "neo_hookean", {7, 2, 7}, {7, 15, 7}, 0.0, false, 0, 1, false},
     true},
    {"kubb-735-near",
     {true, false, "neo_hookean", {7, 2, 7}, {7, 15, 7}, 1.0, false, 0, 1, false},
     true},
    {"kubb-735-apart",
     {true, false, "neo_hookean", {7, 2, 7}, {7, 15, 7}, 9.0, false, 0, 1, false},
     true},
    {"bodies-10k",
     {true, false, "neo_hookean", {3, 3, 2}, {22, 22, 22}, 0.0, false, 0, 1, false},
     true},
    {"bodies-10k-near",
     {true, false, "neo_hookean", {3, 3, 2}, {22, 22, 22}, 1.0, false, 0, 1, false},
     true},
    {"bodies-10k-apart",
     {true, false, "neo_hookean", {3, 3, 2}, {22, 22, 22}, 9.0, false, 0, 1, false},
     true},
    {"glue-1", {true, false, "neo_hookean", ONE, {64, 32, 17}, 0.0, true, 1, 1, false}, true},
    {"kubb-735-pairwise",
     {true, false, "neo_hookean", {7, 2, 7}, {7, 15, 7}, 0.0, false, 0, 1, true},
     true},
    {"kubb-735-near-pairwise",
     {true, false, "neo_hookean", {7, 2, 7}, {7, 15, 7}, 1.0, false, 0, 1, true},
     true},
    {"glue-1-force", {true, false, "neo_hookean", ONE, {64, 32, 17}, 0.0, true, 1, 1, true}, true},
    {"glue-8", {true, false, "neo_hookean", ONE, {64, 32, 17}, 0.0, true, 8, 1, false}, true},
};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0], REDUCED = 40 };

typedef struct mpm_result {
    value_statistics rate; // million point steps per second of processor time
    double overhead;       // over the same points as one body; NAN: not compared
    double bytes;          // per point
    int64_t points;
    int threads;
} mpm_result;

// `other` is NULL, or stepped turn about with it: medians of rates and of what takes longer by how much.
static sherd_status measure(points_rate *rate, points_rate *other, mpm_result *out,
                            sherd_error *error)
{
    out->points = points_rate_count(rate);
    int steps = (int)fmax(2.0, 1e6 / (double)out->points);
    double speed[BENCH_REPEATS], over[BENCH_REPEATS], seconds = 0.0, others = 0.0;
    sherd_status status = points_rate_run(rate, steps, &seconds, error); // warm-up
    if (status == SHERD_OK && other != NULL) status = points_rate_run(other, steps, &others, error);
    for (int k = 0; k < BENCH_REPEATS && status == SHERD_OK; ++k) {
        status = points_rate_run(rate, steps, &seconds, error);
        speed[k] = 1e-6 * (double)steps * (double)out->points / seconds;
        if (status != SHERD_OK || other == NULL) continue;
        status = points_rate_run(other, steps, &others, error);
        over[k] = seconds / others - 1.0;
    }
    if (status != SHERD_OK) return status;
    out->rate = value_statistics_of(speed, BENCH_REPEATS);
    out->overhead = other != NULL ? value_statistics_of(over, BENCH_REPEATS).median : NAN;
    out->bytes = (double)points_rate_bytes(rate) / (double)out->points;
    return SHERD_OK;
}

static sherd_status run_case(const mpm_case *at, const command_options *options, mpm_result *out,
                             sherd_error *error)
{
    points_rate_def def = at->def;
    def.threads = out->threads;
    for (int axis = 0; axis < 3 && options->reduced && !at->compared; ++axis)
        def.points[axis] = REDUCED;
    points_rate *rate = points_rate_create(&def, error), *other = NULL;
    sherd_status status = rate != NULL ? SHERD_OK : error->status;
    def.one_body = true, def.cuts = 0;
    if (status == SHERD_OK && at->compared) {
        other = points_rate_create(&def, error);
        status = other != NULL ? SHERD_OK : error->status;
    }
    if (status == SHERD_OK) status = measure(rate, other, out, error);
    points_rate_destroy(rate), points_rate_destroy(other);
    return status;
}

static double share_of_peak(const mpm_case *at, const mpm_result *r, const machine_peak *peak)
{
    double most = peak->core_gigaflops_double; // both are those of processor time
    return most > 0.0 ? 1e-3 * r->rate.median *
                            points_rate_operations(at->def.cubic, at->def.affine) / most
                      : 0.0;
}

static void print_metric(const mpm_case *at, const char *metric, double value, const char *unit,
                         const mpm_result *r)
{
    printf(",\n  {\"case\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", "
           "\"threads\": %d, \"points\": %lld}",
           at->name, metric, value, unit, r->threads, (long long)r->points);
}

static void print_case(const mpm_case *at, const mpm_result *r, const machine_peak *peak, bool json)
{
    double share = share_of_peak(at, r, peak);
    if (json) {
        print_metric(at, "point_steps", r->rate.median, "M/s", r);
        print_metric(at, "point_steps_best", r->rate.largest, "M/s", r);
        print_metric(at, "spread", r->rate.spread, "1", r);
        print_metric(at, "arithmetic_peak_share", share, "1", r);
        print_metric(at, "bytes_per_point", r->bytes, "B", r);
        if (!isnan(r->overhead)) print_metric(at, "many_bodies_overhead", r->overhead, "1", r);
    } else {
        printf("%-16s %9lld %8d %15.2f %6.2f %7.0f %% %9.0f %% %8.0f", at->name,
               (long long)r->points, r->threads, r->rate.median, r->rate.largest,
               100.0 * r->rate.spread, 100.0 * share, r->bytes);
        if (!isnan(r->overhead)) printf(" %8.1f %%", 100.0 * r->overhead);
        printf("\n");
    }
    fflush(stdout);
}

static void print_machine(const machine_peak *peak, bool json)
{
    if (json) {
        printf("[\n  {\"case\": \"machine\", \"metric\": \"fma_double\", \"value\": %.6g, "
               "\"unit\": \"Gflop/s\", \"threads\": 1}",
               peak->core_gigaflops_double);
        return;
    }
    printf("machine, one core: fused multiply-adds %.0f Gflop/s double\n\n",
           peak->core_gigaflops_double);
    printf("%-16s %9s %8s %15s %6s %9s %11s %8s %10s\n", "case", "points", "threads",
           "M point-steps/s", "best", "spread", "arithmetic", "B/point", "as one");
}

// ---------------------------------------------------------------- one cube

static const char *const CUBE = "cube-run";

static void print_figure(const char *metric, double value, const char *unit)
{
    printf(",\n  {\"case\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"}", CUBE,
           metric, value, unit);
}

static void print_cube(const mpm_cube *c, bool json)
{
    if (json) {
        print_figure("flip_steps", c->flip, "M/s"), print_figure("apic_steps", c->affine, "M/s");
        print_figure("run_steps", c->run, "M/s");
        print_figure("apic_over_flip", c->affine_share, "1");
        print_figure("run_over_steps", c->run_share, "1");
        return;
    }
    printf(
        "%s: one cube of %d points, cubic kernel, neo-Hookean, turn about, medians of %d rounds\n"
        "  steps, flip               %6.2f M point-steps/s\n"
        "  steps, apic               %6.2f M point-steps/s   %.2f of flip's\n"
        "  a run without pictures    %6.2f M point-steps/s   %.2f of its steps alone\n",
        CUBE, MPM_CUBE_SIDE * MPM_CUBE_SIDE * MPM_CUBE_SIDE, c->rounds, c->flip, c->affine,
        c->affine_share, c->run, c->run_share);
}

static int run_cube(const command_options *options, int threads)
{
    mpm_cube cube;
    sherd_error error = {0};
    if (options->only != NULL && strcmp(CUBE, options->only) != 0) return EXIT_DONE;
    if (mpm_cube_measure(options, threads, &cube, &error) != SHERD_OK) return message_error(&error);
    print_cube(&cube, options->json);
    return EXIT_DONE;
}

// ---------------------------------------------------------------- all cases

static bool is_known(const char *name)
{
    if (strcmp(CUBE, name) == 0) return true;
    for (int k = 0; k < CASE_COUNT; ++k)
        if (strcmp(CASES[k].name, name) == 0) return true;
    return false;
}

int bench_mpm(const command_options *options)
{
    if (options->only != NULL && !is_known(options->only))
        return message_usage("unknown case", options->only,
                             "cubic-flip, cubic-apic, quadratic-flip, quadratic-apic, corotated, "
                             "hencky, snow, sand, fluid, kubb-735, kubb-735-near, kubb-735-apart, "
                             "kubb-735-pairwise, kubb-735-near-pairwise, bodies-10k, "
                             "bodies-10k-near, bodies-10k-apart, glue-1, glue-1-force, "
                             "glue-8, cube-run");
    int threads = options->threads > 0 ? options->threads : 1;
    machine_peak peak = machine_peak_measure(threads);
    print_machine(&peak, options->json);
    for (int k = 0; k < CASE_COUNT; ++k) {
        mpm_result result = {.threads = threads};
        sherd_error error = {0};
        if (options->only != NULL && strcmp(CASES[k].name, options->only) != 0) continue;
        if (run_case(&CASES[k], options, &result, &error) != SHERD_OK) return message_error(&error);
        print_case(&CASES[k], &result, &peak, options->json);
    }
    int status = run_cube(options, threads);
    if (options->json) printf("\n]\n");
    return status;
}
