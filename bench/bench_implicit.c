// sherd bench implicit: the rows of [IBDEM25] Table 1, its three-point bending of Table 2, and the two bodies
// that break by falling, smaller, until they lie still; stepped explicitly, implicitly, and by the method that
// switches by itself; with --reduced by the paper's Algorithms 2 and 3, too, smaller.
#include "bench/benchmarks.h"
#include "bench/scene_bench.h"

#include <math.h>

// How near explicit steps go to their limit, and which runs there are: reference, explicit, implicit, auto,
// implicit at the default accuracy, steps as long as the paper's, Algorithms 2 and 3.
#define SMOOTH                                                                                     \
    0.0, 0.9,                                                                                      \
    {                                                                                              \
        true, true, true, true, true, true, false, false                                           \
    }
#define BREAKING                                                                                   \
    0.0, 0.9,                                                                                      \
    {                                                                                              \
        false, true, false, true, false, true, false, false                                        \
    }
#define BY_ERROR                                                                                   \
    0.0, 0.9,                                                                                      \
    {                                                                                              \
        false, true, true, true, false, false, false, false                                        \
    }
#define EXPLICIT_AND_AUTO                                                                          \
    0.0, 0.9,                                                                                      \
    {                                                                                              \
        false, true, false, true, false, false, false, false                                       \
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

// The paper's steps are 123, 12, 940, 11, 20, 20 and 10 times T, of which its explicit ones are a fifth.
static const bench_scene_case CASES[] = {
    // As much as it takes to err by 1 % at most: there errors of steps hardly add up as auto fears they might.
    {"stretch-19k", "beam-stretch", "paper", 34.6, 3.52, 1.0 / 60, 0.0, 60, 1.0, false, SMOOTH,
     ASKED("0.1")},
    {"twist-19k", "beam-twist", "ibdem", 34.6, 14.76, 1.5e-3, 0.0, 24, 1.0, false, SMOOTH,
     ASKED("0.1")},
    {"drape-64k", "beam-drape", "paper-64k", 2230.9, 711.7, 8e-3, 0.0, 1, 1.0, false, SMOOTH,
     ASKED("0.0085")},
    {"drape-124k", "beam-drape", "paper", 255.2, 121.9, 2.4e-3, 0.0, 24, 1.0, false, SMOOTH,
     ASKED("0.02")},
    // Bodies hit the floor in the first frame.
    {"chocolate-58k", "chocolate", "paper", 857.8, 343.8, 4.4e-5, 0.0, 1, 1.0, true, BREAKING, {0}},
    {"plate-219k", "plate", "paper", 4564.6, 1911.8, 3.5e-5, 0.0, 1, 1.0, true, BREAKING, {0}},
    {"cloth-165k", "woven", "ibdem", 1299.6, 394.2, 1.74e-5, 0.0, 1, 1.0 / 16, true, BREAKING, {0}},
    // Until they snap: in frames 25, 25 and 24.
    {"bending-0.5k", "bending", NULL, NAN, 0.9, 0.0, 0.0, 25, 1.0, true, BY_ERROR, {0}},
    {"bending-1.8k", "bending", "middle", NAN, 7.3, 0.0, 0.0, 25, 1.0, true, BY_ERROR, {0}},
    {"bending-18k",
     "bending",
     "paper",
     NAN,
     137.1,
     0.0,
     0.0,
     24,
     1.0,
     true,
     EXPLICIT_AND_AUTO,
     {0}},
    // From release to rest, of larger elements: at full size that takes hours.
    {"chocolate-rest", "chocolate", NULL, NAN, NAN, 0.0, 0.0, 18, 1.0, true, EXPLICIT_AND_AUTO,
     TO_REST("bodies.bar.packing.hcp.radius=1.6 mm")},
    {"plate-rest", "plate", NULL, NAN, NAN, 0.0, 0.0, 18, 1.0, true, EXPLICIT_AND_AUTO,
     TO_REST("bodies.plate.packing.hcp.radius=1.7 mm")},
};

#define ALL_SMOOTH                                                                                 \
    0.0, 0.9,                                                                                      \
    {                                                                                              \
        true, true, true, true, true, true, true, true                                             \
    }
#define ALL_BREAKING                                                                               \
    0.0, 0.9,                                                                                      \
    {                                                                                              \
        false, true, false, true, false, true, true, true                                          \
    }
#define LARGE(body, mm, ...)                                                                       \
    {                                                                                              \
        "bodies." body ".packing.hcp.radius=" mm " mm", __VA_ARGS__                                \
    }
#define PROBED "output.probe_rate=60", "solver.accuracy=0.1"

// Larger elements, in steps of as many T as the paper's. Frames of what breaks go on until most has broken.
static const bench_scene_case REDUCED[] = {
    {"stretch", "beam-stretch", NULL, 34.6, 3.52, 1.0 / 60, 0.0, 24, 1.0, false, ALL_SMOOTH,
     LARGE("beam", "10", PROBED)},
    {"twist", "beam-twist", "ibdem", 34.6, 14.76, 1.5e-3, 11.5, 12, 1.0, false, ALL_SMOOTH,
     LARGE("beam", "10", PROBED)},
    {"drape-stiff", "beam-drape", "stiff-1e9", 2230.9, 711.7, 8e-3, 940.0, 4, 1.0, false,
     ALL_SMOOTH, LARGE("beam", "10", PROBED)},
    {"drape-soft", "beam-drape", NULL, 255.2, 121.9, 2.4e-3, 11.0, 12, 1.0, false, ALL_SMOOTH,
     LARGE("beam", "10", PROBED)},
    {"chocolate", "chocolate", NULL, 857.8, 343.8, 4.4e-5, 20.0, 4, 1.0, true, ALL_BREAKING,
     LARGE("bar", "1.6", "output.frame_rate=480")},
    {"plate", "plate", NULL, 4564.6, 1911.8, 3.5e-5, 20.0, 2, 1.0, true, ALL_BREAKING,
     LARGE("plate", "2.4", "output.frame_rate=480")},
    {"cloth",
     "woven",
     NULL,
     1299.6,
     394.2,
     1.74e-5,
     10.0,
     1,
     1.0,
     true,
     ALL_BREAKING,
     {"output.frame_rate=480"}},
};

int bench_implicit(const command_options *options)
{
    if (options->reduced)
        return bench_scenes(options, REDUCED, (int)(sizeof REDUCED / sizeof REDUCED[0]));
    return bench_scenes(options, CASES, (int)(sizeof CASES / sizeof CASES[0]));
}
