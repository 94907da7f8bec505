// sherd bench rods: the rows of [RBDEM] Table 2, and of its Table 1 where those are missing there, stepped
// explicitly, by the paper's Algorithm 1 with its steps and k_c, and by the method that switches by itself, beside the
// paper's seconds per frame on a GTX 1080 Ti.
// It has frames of 0.02 s where nothing breaks, of 0.01 s where something does, and of 0.001 s of the thick plate
// and the cone. Its bodies' sizes it does not give, only their numbers of elements.
#include "bench/benchmarks.h"
#include "bench/scene_bench.h"

#include <math.h>
#include <stddef.h>

#define ALL_METHODS(stiffness)                                                                     \
    stiffness, 0.9,                                                                                \
    {                                                                                              \
        false, true, false, true, false, true, false, false                                        \
    }
#define FRAMES(rate)                                                                               \
    {                                                                                              \
        "output.frame_rate=" rate, "output.probe_rate=" rate                                       \
    }

// Frames of what breaks go from release, or where loading is slow, from its start, until it has broken.
static const bench_scene_case CASES[] = {
    {"spring", "rod-spring", "paper", 3.76, 0.50, 5e-3, 0.0, 10, 1.0, false, ALL_METHODS(1e6),
     FRAMES("50")},
    {"cantilever", "rod-cantilever", "paper", 3.45, 0.93, 2e-2, 0.0, 5, 1.0, false,
     ALL_METHODS(1e5), FRAMES("50")},
    {"cantilever-stiff", "rod-cantilever", "paper-stiff", 9.41, 1.16, 2e-2, 0.0, 5, 1.0, false,
     ALL_METHODS(1e5), FRAMES("50")},
    {"bending", "rod-bending", "paper", 30.45, 15.62, 2e-4, 0.0, 20, 1.0, true, ALL_METHODS(1e7),
     FRAMES("100")},
    {"twist", "rod-twist", "paper", NAN, 18.58, 2e-4, 0.0, 94, 1.0, true, ALL_METHODS(1e6),
     FRAMES("100")},
    {"rabbit", "rod-rabbit", "paper", 28.19, 21.06, 1e-4, 0.0, 4, 1.0, true, ALL_METHODS(1e7),
     FRAMES("100")},
    {"thin-plate", "rod-thin-plate", NULL, 58.40, 17.75, 1e-4, 0.0, 5, 1.0, true, ALL_METHODS(5e7),
     FRAMES("100")},
    {"thick-plate", "rod-thick-plate", "paper", 5.90, 14.06, 5e-5, 0.0, 5, 1.0, true,
     ALL_METHODS(5e7), FRAMES("1000")},
    {"cone", "rod-cone", "paper", NAN, 11.30, 3e-5, 0.0, 1, 1.0, true, ALL_METHODS(1e9),
     FRAMES("1000")},
};

enum { CASE_COUNT = sizeof CASES / sizeof CASES[0], STIFF_CANTILEVER = 2 };

// With fewer elements than the paper has: nothing to compare with.
static bench_scene_case reduced(int index)
{
    bench_scene_case small = CASES[index];
    small.variant = index == STIFF_CANTILEVER ? "stiff" : NULL;
    small.paper_explicit = small.paper_implicit = NAN;
    return small;
}

int bench_rods(const command_options *options)
{
    if (!options->reduced) return bench_scenes(options, CASES, CASE_COUNT);
    bench_scene_case small[CASE_COUNT];
    for (int k = 0; k < CASE_COUNT; ++k)
        small[k] = reduced(k);
    return bench_scenes(options, small, CASE_COUNT);
}
