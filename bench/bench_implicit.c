// sherd bench implicit: the rows of [IBDEM25] Table 1, its three-point bending of Table 2, and the two bodies
// that break by falling, smaller, until they lie still; stepped explicitly, implicitly, and by the method that
// switches by itself.
#include "bench/benchmarks.h"
#include "bench/scene_bench.h"

#include <math.h>

// How near explicit steps go to their limit, and which runs there are.
#define SMOOTH                                                                                     \
    0.0, 0.9,                                                                                      \
    {                                                                                              \
        true, true, true, true                                                                     \
    }
#define BREAKING                                                                                   \
    0.0, 0.9,                                                                                      \
    {                                                                                              \
        false, true, true, true                                                                    \
    }
#define EXPLICIT_AND_AUTO                                                                          \
    0.0, 0.9,                                                                                      \
    {                                                                                              \
        false, true, false, true                                                                   \
    }
// Steps end at samples of probes: once a frame.
#define ASKED(accuracy)                                                                            \
    {                                                                                              \
        "solver.accuracy=" accuracy, "output.probe_rate=60"                                        \
    }

#define TO_REST(size)                                                                              \
    {                                                                                              \
        size, "output.frame_rate=60", "duration=0.3 s"                                             \
    }

static const bench_scene_case CASES[] = {
    // As much as it takes to err by 1 % at most: there errors of steps hardly add up as auto fears they might.
    {"stretch-19k", "beam-stretch", "paper", 34.6, 3.52, 0.0, 60, 1.0, false, SMOOTH, ASKED("0.1")},
    {"twist-19k", "beam-twist", "ibdem", 34.6, 14.76, 0.0, 24, 1.0, false, SMOOTH, ASKED("0.1")},
    {"drape-64k", "beam-drape", "paper-64k", 2230.9, 711.7, 0.0, 1, 1.0, false, SMOOTH,
     ASKED("0.0085")},
    {"drape-124k", "beam-drape", "paper", 255.2, 121.9, 0.0, 24, 1.0, false, SMOOTH, ASKED("0.02")},
    // Bodies hit the floor in the first frame.
    {"chocolate-58k", "chocolate", "paper", 857.8, 343.8, 4.4e-5, 1, 1.0, true, BREAKING, {0}},
    {"plate-219k", "plate", "paper", 4564.6, 1911.8, 3.5e-5, 1, 1.0, true, BREAKING, {0}},
    {"cloth-165k", "woven", "ibdem", 1299.6, 394.2, 1.74e-5, 1, 1.0 / 16, true, BREAKING, {0}},
    // Until they snap: in frames 25, 25 and 24.
    {"bending-0.5k", "bending", NULL, NAN, 0.9, 0.0, 25, 1.0, true, BREAKING, {0}},
    {"bending-1.8k", "bending", "middle", NAN, 7.3, 0.0, 25, 1.0, true, BREAKING, {0}},
    {"bending-18k", "bending", "paper", NAN, 137.1, 0.0, 24, 1.0, true, EXPLICIT_AND_AUTO, {0}},
    // From release to rest, of larger elements: at full size that takes hours.
    {"chocolate-rest", "chocolate", NULL, NAN, NAN, 0.0, 18, 1.0, true, EXPLICIT_AND_AUTO,
     TO_REST("bodies.bar.packing.hcp.radius=1.6 mm")},
    {"plate-rest", "plate", NULL, NAN, NAN, 0.0, 18, 1.0, true, EXPLICIT_AND_AUTO,
     TO_REST("bodies.plate.packing.hcp.radius=1.7 mm")},
};

int bench_implicit(const command_options *options)
{
    return bench_scenes(options, CASES, (int)(sizeof CASES / sizeof CASES[0]));
}
