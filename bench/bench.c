// sherd bench: choice of the benchmark, and shared code.
#include "bench/bench.h"

#include "bench/benchmarks.h"
#include "message.h"

#include <string.h>

int command_bench(const command_options *options)
{
    if (options->input == NULL || strcmp(options->input, "explicit") == 0)
        return bench_explicit(options);
    if (strcmp(options->input, "implicit") == 0) return bench_implicit(options);
    if (strcmp(options->input, "rods") == 0) return bench_rods(options);
    if (strcmp(options->input, "contact") == 0) return bench_contact(options);
    if (strcmp(options->input, "breakage") == 0) return bench_breakage(options);
    if (strcmp(options->input, "fracture") == 0) return bench_fracture(options);
    if (strcmp(options->input, "surface") == 0) return bench_surface(options);
    if (strcmp(options->input, "pictures") == 0) return bench_pictures(options);
    if (strcmp(options->input, "packing") == 0) return bench_packing(options);
#ifdef SHERD_RESEARCH
    if (strcmp(options->input, "optimizers") == 0) return bench_optimizers(options);
    if (strcmp(options->input, "mpm") == 0) return bench_mpm(options);
    if (strcmp(options->input, "spheres") == 0) return bench_mpm_spheres(options);
#else
    if (strcmp(options->input, "optimizers") == 0 || strcmp(options->input, "mpm") == 0 ||
        strcmp(options->input, "spheres") == 0)
        return message_usage("this build lacks the benchmark", options->input,
                             "build from source with the static library, the default");
#endif
    if (strcmp(options->input, "regions") == 0) return bench_regions(options);
    if (strcmp(options->input, "transfers") == 0) return bench_transfers(options);
    if (strcmp(options->input, "threads") == 0) return bench_threads(options);
    return message_usage(
        "unknown benchmark", options->input,
        "there are: explicit, implicit, rods, optimizers, fracture, contact, breakage, "
        "surface, pictures, packing, regions, mpm, spheres, transfers, threads");
}
