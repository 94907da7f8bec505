// sherd bench explicit: bond steps per second and bytes per element and bond, breakage test and
// contact search on, beside the machine's limits.
#include "bench/benchmarks.h"
#include "clock.h"
#include "message.h"

#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

// Arithmetic operations of a bond with breakage test, counted in the compiled kernels (double 315,
// mixed 305); a fused multiply-add is two. Integration and copying are not counted.
static const double OPERATIONS_PER_BOND = 310.0;

// What bonds do beyond their strength: nothing, as it is not reached, or they soften or yield.
typedef enum bond_beyond { LASTS, SOFTENS, YIELDS } bond_beyond;

typedef struct bench_case {
    const char *name;
    double elements;
    bool plate;    // four layers instead of a cube
    double jitter; // of centres, in radii: makes bonds differ, so that none can share a packet
    bool curve;    // elements in the order of a space-filling curve, not of rows
    sherd_precision precision;
    bool asked_for; // runs only when named with --case
    sherd_bond_law law;
    bond_beyond beyond;
} bench_case;

#define QUATERNION SHERD_BOND_LAW_QUATERNION
#define ROD SHERD_BOND_LAW_ROD
#define CENTRAL SHERD_BOND_LAW_CENTRAL
static const bench_case CASES[] = {
    {"block-20k", 2e4, false, 0.0, false, SHERD_PRECISION_MIXED, false, QUATERNION, LASTS},
    {"block-200k", 2e5, false, 0.0, false, SHERD_PRECISION_MIXED, false, QUATERNION, LASTS},
    {"block-200k", 2e5, false, 0.0, false, SHERD_PRECISION_DOUBLE, false, QUATERNION, LASTS},
    {"plate-235k", 2.35e5, true, 0.0, false, SHERD_PRECISION_MIXED, false, QUATERNION, LASTS},
    {"plate-235k", 2.35e5, true, 0.0, false, SHERD_PRECISION_DOUBLE, false, QUATERNION, LASTS},
    {"rows-235k", 2.35e5, true, 1e-6, false, SHERD_PRECISION_MIXED, false, QUATERNION, LASTS},
    {"any-235k", 2.35e5, true, 1e-6, true, SHERD_PRECISION_MIXED, false, QUATERNION, LASTS},
    {"any-235k", 2.35e5, true, 1e-6, true, SHERD_PRECISION_DOUBLE, false, QUATERNION, LASTS},
    {"block-1m", 1e6, false, 0.0, false, SHERD_PRECISION_MIXED, false, QUATERNION, LASTS},
    {"block-1m", 1e6, false, 0.0, false, SHERD_PRECISION_DOUBLE, false, QUATERNION, LASTS},
    {"plate-60k", 6e4, true, 0.0, false, SHERD_PRECISION_MIXED, true, QUATERNION, LASTS},
    {"plate-60k", 6e4, true, 0.0, false, SHERD_PRECISION_DOUBLE, true, QUATERNION, LASTS},
    {"rows-60k", 6e4, true, 1e-6, false, SHERD_PRECISION_MIXED, true, QUATERNION, LASTS},
    {"any-60k", 6e4, true, 1e-6, true, SHERD_PRECISION_MIXED, true, QUATERNION, LASTS},
    {"soft-60k", 6e4, true, 1e-6, true, SHERD_PRECISION_MIXED, true, QUATERNION, SOFTENS},
    {"any-rods-60k", 6e4, true, 1e-6, true, SHERD_PRECISION_MIXED, true, ROD, LASTS},
    {"yield-60k", 6e4, true, 1e-6, true, SHERD_PRECISION_MIXED, true, ROD, YIELDS},
    {"rods-60k", 6e4, true, 0.0, false, SHERD_PRECISION_MIXED, true, ROD, LASTS},
    {"springs-60k", 6e4, true, 0.0, false, SHERD_PRECISION_MIXED, true, CENTRAL, LASTS},
    {"any-springs-60k", 6e4, true, 1e-6, true, SHERD_PRECISION_MIXED, true, CENTRAL, LASTS},
    {"rods-235k", 2.35e5, true, 0.0, false, SHERD_PRECISION_MIXED, true, ROD, LASTS},
    {"rods-1m", 1e6, false, 0.0, false, SHERD_PRECISION_MIXED, true, ROD, LASTS},
    {"block-10m", 1e7, false, 0.0, false, SHERD_PRECISION_MIXED, true, QUATERNION, LASTS},
};

typedef struct bench_result {
    value_statistics rate;      // million bond steps per second
    value_statistics processor; // the same per second of processor time, of all threads
    double bytes_per_element, bytes_per_bond;
    int elements, threads;
    int64_t bonds;
    double peak_gigabytes; // of the whole process until now
} bench_result;

// An HCP element fills 4 sqrt(2) r^3 of a block; four layers are (2 + 3 sqrt(8/3)) r thick, and an
// element covers 2 sqrt(3) r^2 of one.
static sherd_shape *make_shape(const bench_case *at, sherd_error *error)
{
    double edge = cbrt(at->elements * 4.0 * sqrt(2.0)) * BENCH_RADIUS, thickness = edge;
    if (at->plate) {
        edge = sqrt(at->elements / 4.0 * 2.0 * sqrt(3.0)) * BENCH_RADIUS;
        thickness = (2.0 + 3.0 * sqrt(8.0 / 3.0)) * BENCH_RADIUS * 1.0001;
    }
    return sherd_shape_box((sherd_vec3){edge, edge, thickness}, error);
}

static sherd_material_def make_material(const bench_case *at)
{
    sherd_material_def material = sherd_material_def_default();
    material.tensile_strength = material.shear_strength = 1e12;
    material.law = at->law;
    if (at->beyond == SOFTENS) {
        material.tensile_strength = material.shear_strength = 1.0;
        material.fracture_energy = 1e6;
    }
    if (at->beyond == YIELDS) material.yield_stress = 1.0;
    return material;
}

// It stretches and twists a little, strong enough not to break: the breakage test runs on every bond. Bonds that are to
// soften or to yield begin in the first steps, and none breaks.
static sherd_world *make_world(const bench_case *at, int threads, sherd_error *error)
{
    sherd_packing *packing = bench_pack(make_shape(at, error), at->jitter, threads, error);
    if (packing == NULL) return NULL;
    if (at->curve && !bench_order_along_curve(packing, error)) {
        sherd_packing_destroy(packing);
        return NULL;
    }
    sherd_world_def def = sherd_world_def_default();
    def.sleep = false; // what is measured is the work of elements that are awake
    def.threads = threads;
    def.precision = at->precision;
    sherd_world *world = sherd_world_create(&def, error);
    sherd_material_def material = make_material(at);
    sherd_body_def body = sherd_body_def_default();
    body.angular_velocity = (sherd_vec3){1.0, 2.0, 3.0};
    if (world == NULL) sherd_packing_destroy(packing);
    if (world != NULL && bench_add_body(world, packing, &material, body, error)) return world;
    sherd_world_destroy(world);
    return NULL;
}

static double peak_memory(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0.0;
    return (double)usage.ru_maxrss * 1024.0 * 1e-9;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sherd_status run_case(const bench_case *at, int threads, bench_result *result,
                             sherd_error *error)
{
    sherd_world *world = make_world(at, threads, error);
    if (world == NULL) return error->status;
    *result = (bench_result){.threads = threads,
                             .elements = sherd_world_elements(world).count,
                             .bonds = sherd_world_bonds(world).count};
    double bond_steps = at->beyond == LASTS ? 5e7 : 1e7;
    int64_t steps = (int64_t)fmax(5.0, bond_steps / (double)result->bonds);
    sherd_status status = sherd_world_step(world, steps / 2 + 2, error); // warm-up, first search
    double rate[BENCH_REPEATS], processor[BENCH_REPEATS];
    for (int k = 0; k < BENCH_REPEATS && status == SHERD_OK; ++k) {
        double start = clock_seconds(), spent = processor_seconds();
        status = sherd_world_step(world, steps, error);
        rate[k] = 1e-6 * (double)steps * (double)result->bonds / (clock_seconds() - start);
        processor[k] = 1e-6 * (double)steps * (double)result->bonds / (processor_seconds() - spent);
    }
    if (status == SHERD_OK) {
        sherd_memory_use memory = sherd_world_memory(world);
        result->rate = value_statistics_of(rate, BENCH_REPEATS);
        result->processor = value_statistics_of(processor, BENCH_REPEATS);
        result->bytes_per_element = (double)memory.elements / result->elements;
        result->bytes_per_bond = (double)memory.bonds / (double)result->bonds;
        result->peak_gigabytes = peak_memory();
    }
    sherd_world_destroy(world);
    return status;
}

static const char *precision_name(const bench_case *at)
{
    return at->precision == SHERD_PRECISION_DOUBLE ? "double" : "mixed";
}

// Of the arithmetic the machine can do.
static double share_of_peak(const bench_case *at, const bench_result *r, const machine_peak *peak)
{
    double most =
        at->precision == SHERD_PRECISION_DOUBLE ? peak->gigaflops_double : peak->gigaflops_single;
    return most > 0.0 ? 1e-3 * r->rate.median * OPERATIONS_PER_BOND / most : 0.0;
}

static void print_metric(const bench_case *at, const char *metric, double value, const char *unit,
                         const bench_result *r)
{
    printf(",\n  {\"case\": \"%s\", \"precision\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, "
           "\"unit\": \"%s\", \"threads\": %d, \"elements\": %d, \"bonds\": %lld}",
           at->name, precision_name(at), metric, value, unit, r->threads, r->elements,
           (long long)r->bonds);
}

static void print_case(const bench_case *at, const bench_result *r, const machine_peak *peak,
                       bool json)
{
    double share = share_of_peak(at, r, peak);
    if (json) {
        print_metric(at, "bond_steps", r->rate.median, "M/s", r);
        print_metric(at, "bond_steps_best", r->rate.largest, "M/s", r);
        print_metric(at, "bond_steps_processor", r->processor.median, "M/s", r);
        print_metric(at, "spread", r->rate.spread, "1", r);
        print_metric(at, "arithmetic_peak_share", share, "1", r);
        print_metric(at, "bytes_per_element", r->bytes_per_element, "B", r);
        print_metric(at, "bytes_per_bond", r->bytes_per_bond, "B", r);
        print_metric(at, "peak_memory", r->peak_gigabytes, "GB", r);
    } else {
        printf(
            "%-12s %-9s %9d %10lld %8d %14.1f %7.1f %9.1f %7.0f %% %9.0f %% %10.0f %8.1f %7.2f\n",
            at->name, precision_name(at), r->elements, (long long)r->bonds, r->threads,
            r->rate.median, r->rate.largest, r->processor.median, 100.0 * r->rate.spread,
            100.0 * share, r->bytes_per_element, r->bytes_per_bond, r->peak_gigabytes);
    }
    fflush(stdout);
}

static void print_machine(const machine_peak *peak, int threads, bool json)
{
    if (json) {
        printf("[\n  {\"case\": \"machine\", \"metric\": \"triad\", \"value\": %.6g, "
               "\"unit\": \"GB/s\", \"threads\": %d},\n"
               "  {\"case\": \"machine\", \"metric\": \"fma_double\", \"value\": %.6g, "
               "\"unit\": \"Gflop/s\", \"threads\": %d},\n"
               "  {\"case\": \"machine\", \"metric\": \"fma_single\", \"value\": %.6g, "
               "\"unit\": \"Gflop/s\", \"threads\": %d}",
               peak->gigabytes, threads, peak->gigaflops_double, threads, peak->gigaflops_single,
               threads);
        return;
    }
    printf("machine, %d threads: %.0f GB/s triad, fused multiply-adds %.0f Gflop/s double, %.0f "
           "single\n\n",
           threads, peak->gigabytes, peak->gigaflops_double, peak->gigaflops_single);
    printf("%-12s %-9s %9s %10s %8s %14s %7s %9s %9s %11s %10s %8s %7s\n", "case", "precision",
           "elements", "bonds", "threads", "M bond-steps/s", "best", "processor", "spread",
           "arithmetic", "B/element", "B/bond", "peak GB");
}

static bool is_wanted(const bench_case *at, const char *only)
{
    return only != NULL ? strcmp(at->name, only) == 0 : !at->asked_for;
}

static bool is_known(const char *name)
{
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; ++k)
        if (strcmp(CASES[k].name, name) == 0) return true;
    return false;
}

int bench_explicit(const command_options *options)
{
    if (options->only != NULL && !is_known(options->only))
        return message_usage("unknown case", options->only,
                             "block-20k, block-200k, plate-235k, rows-235k, any-235k, block-1m, "
                             "block-10m, plate-60k, rows-60k, any-60k, any-rods-60k, soft-60k, "
                             "yield-60k, rods-60k, rods-235k, rods-1m");
    int threads = options->threads > 0 ? options->threads : 4;
    machine_peak peak = machine_peak_measure(threads);
    print_machine(&peak, threads, options->json);
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; ++k) {
        bench_result result = {0};
        sherd_error error = {0};
        if (!is_wanted(&CASES[k], options->only)) continue;
        if (run_case(&CASES[k], threads, &result, &error) != SHERD_OK) return message_error(&error);
        print_case(&CASES[k], &result, &peak, options->json);
    }
    if (options->json) printf("\n]\n");
    return EXIT_DONE;
}
