// [IBDEM25]: implicit bonded discrete elements by optimisation on manifolds.
#include "paper/paper_items.h"
#include "paper/paper_measure.h"

#define THEIRS "an i7-13700K there; ours on this machine"

// ---------------------------------------------------------------- Table 1

static const paper_column TABLE1_COLUMNS[] = {
    PAPER_ELEMENTS,
    PAPER_TIME(THEIRS),
    {.name = "speed-up", .unit = "1", .quotient_of = 2, .of_size = true},
};

// A row of explicit steps, and one of the method that switches by itself.
#define TABLE1_ROWS_OF(name, of, at_full, small, count, explicit_s, implicit_s, speedup, rate,     \
                       frames_of, because)                                                         \
    {.label = name ", explicit",                                                                   \
     .scene = of,                                                                                  \
     .variant = at_full,                                                                           \
     .settings = {"output.frame_rate=" rate, "solver.method=explicit"},                            \
     .reduced_variant = small,                                                                     \
     .frames = frames_of,                                                                          \
     .paper = {count, explicit_s}},                                                                \
    {                                                                                              \
        .label = name, .scene = of, .variant = at_full,                                            \
        .settings = {"output.frame_rate=" rate, "solver.method=auto"}, .reduced_variant = small,   \
        .frames = frames_of, .paper = {count, implicit_s, speedup}, .why = because                 \
    }

static const paper_row TABLE1_ROWS[] = {
    TABLE1_ROWS_OF("beam stretch", "beam-stretch", "paper", "", 19e3, 34.6, 3.52, 9.8, "60", 30,
                   NULL),
    TABLE1_ROWS_OF("beam twist", "beam-twist", "ibdem", "ibdem", 19e3, 34.6, 14.76, 2.3, "60", 24,
                   NULL),
    TABLE1_ROWS_OF("beam drape, 1 GPa", "beam-drape", "paper-64k", "stiff-1e9", 64e3, 2230.9, 711.7,
                   3.1, "60", 1, THEIRS),
    TABLE1_ROWS_OF("beam drape, 1 MPa", "beam-drape", "paper", "", 124e3, 255.2, 121.9, 2.1, "60",
                   24, THEIRS),
    TABLE1_ROWS_OF("chocolate", "chocolate", "paper", "", 58e3, 857.8, 343.8, 2.5, "480", 2,
                   "It breaks: steps are explicit"),
    TABLE1_ROWS_OF("plate", "plate", "paper", "", 219e3, 4564.6, 1911.8, 2.4, "480", 1,
                   "It breaks: steps are explicit"),
    TABLE1_ROWS_OF("cloth", "woven", "ibdem", "", 165e3, 1299.6, 394.2, 3.3, "480", 1,
                   "Yarns rub on each other all the time: steps are explicit"),
};

// ---------------------------------------------------------------- Table 1 by the paper's own algorithm

// Explicit steps of 0.2 T, and Algorithm 3 with steps of as many T as the paper's.
#define PRINTED_ROWS_OF(name, of, at_full, small, count, explicit_s, implicit_s, speedup, rate,    \
                        step, frames_of, ...)                                                      \
    {.label = name ", explicit",                                                                   \
     .scene = of,                                                                                  \
     .variant = at_full,                                                                           \
     .settings = {"output.frame_rate=" rate, "solver={method: explicit, safety: 0.2}"},            \
     .reduced_variant = small,                                                                     \
     .reduced = {__VA_ARGS__},                                                                     \
     .frames = frames_of,                                                                          \
     .paper = {count, explicit_s}},                                                                \
    {                                                                                              \
        .label = name ", Algorithm 3", .scene = of, .variant = at_full,                            \
        .settings = {"output.frame_rate=" rate,                                                    \
                     "solver={method: implicit, scheme: euler, optimizer: algorithm_3, "           \
                     "time_step: " step "}"},                                                      \
        .reduced_variant = small, .reduced = {__VA_ARGS__}, .frames = frames_of,                   \
        .paper = {count, implicit_s, speedup},                                                     \
        .why = "Most of it projects bonds' matrices; the paper does not say how it does"           \
    }

#define LARGE_BEAM "bodies.beam.packing.hcp.radius=10 mm"

static const paper_row TABLE1_PRINTED_ROWS[] = {
    PRINTED_ROWS_OF("beam stretch", "beam-stretch", "paper", "", 19e3, 34.6, 3.52, 9.8, "60",
                    "123 T", 6, LARGE_BEAM),
    PRINTED_ROWS_OF("beam twist", "beam-twist", "ibdem", "ibdem", 19e3, 34.6, 14.76, 2.3, "60",
                    "11.5 T", 6, LARGE_BEAM),
    PRINTED_ROWS_OF("beam drape, 1 GPa", "beam-drape", "paper-64k", "stiff-1e9", 64e3, 2230.9,
                    711.7, 3.1, "60", "940 T", 2, LARGE_BEAM),
    PRINTED_ROWS_OF("beam drape, 1 MPa", "beam-drape", "paper", "", 124e3, 255.2, 121.9, 2.1, "60",
                    "11 T", 6, LARGE_BEAM),
    PRINTED_ROWS_OF("chocolate", "chocolate", "paper", "", 58e3, 857.8, 343.8, 2.5, "480", "20 T",
                    2, "bodies.bar.packing.hcp.radius=1.6 mm"),
    PRINTED_ROWS_OF("plate", "plate", "paper", "", 219e3, 4564.6, 1911.8, 2.4, "480", "20 T", 1,
                    "bodies.plate.packing.hcp.radius=2.4 mm"),
    PRINTED_ROWS_OF("cloth", "woven", "ibdem", "", 165e3, 1299.6, 394.2, 3.3, "480", "10 T", 1,
                    "output.stress=false"),
};

// ---------------------------------------------------------------- Table 2

// The first frame with a broken bond; of material points, which have none, the first with a second fragment.
static double frame_of_fracture(const char *folder, const paper_column *column)
{
    paper_column broken = *column, parted = *column;
    broken.y.column = "broken_bonds", broken.from = 1.0;
    parted.y.column = "fragments", parted.from = 2.0;
    bool bonded = paper_last(folder, &(paper_column){.y = {"stats.csv", NULL, "bonds"}}) > 0.0;
    return paper_first(folder, bonded ? &broken : &parted);
}

static const paper_column TABLE2_COLUMNS[] = {
    {.name = "points",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "elements"},
     .of_size = true},
    PAPER_TIME(THEIRS),
    {.name = "frame of fracture",
     .unit = "1",
     .measure = frame_of_fracture,
     .y = {"stats.csv", NULL, NULL},
     .x = {"stats.csv", NULL, "frame"}},
};

#define STICKY                                                                                     \
    "obstacles.left.sticky=true", "obstacles.right.sticky=true", "obstacles.punch.sticky=true"
#define MPM_WHY "finer points break earlier, as there; how its rollers hold the beam is not said"

// On free rollers, and on such that points stick to.
#define MPM_ROWS(name, of, small, points, seconds, frame)                                          \
    {.label = "bending, CD-MPM, " name,                                                            \
     .scene = "bending",                                                                           \
     .variant = of,                                                                                \
     .reduced = {"duration=0.45 s", small},                                                        \
     .paper = {points, seconds, frame},                                                            \
     .why = MPM_WHY},                                                                              \
    {                                                                                              \
        .label = "bending, CD-MPM, " name ", sticky", .scene = "bending", .variant = of,           \
        .settings = {STICKY}, .reduced = {"duration=0.45 s", small},                               \
        .paper = {points, seconds, frame}, .why = MPM_WHY                                          \
    }

// As printed, by a force, and by a stress, for which the paper has no row. The force is the one with
// which our beam of few nodes breaks in the paper's frame: the paper does not give the beam's size,
// by whose square it goes (docs/papers/fem.md).
#define FEM_ROWS(name, of, longer, small, shorter, points, seconds, frame)                         \
    {.label = "bending, FEM, " name ", by force",                                                  \
     .scene = "bending",                                                                           \
     .variant = of,                                                                                \
     .settings = {"materials.beam.separation_force=0.36 N", longer},                               \
     .reduced = {small, shorter},                                                                  \
     .paper = {points, seconds, frame},                                                            \
     .why = "nodes there, tetrahedra here"},                                                       \
    {                                                                                              \
        .label = "bending, FEM, " name ", by stress", .scene = "bending", .variant = of,           \
        .reduced = {                                                                               \
            small,                                                                                 \
            shorter                                                                                \
        }                                                                                          \
    }

static const paper_row TABLE2_ROWS[] = {
    {.label = "bending, BDEM, low", .scene = "bending", .paper = {532, 0.9, 23}},
    {.label = "bending, BDEM, middle",
     .scene = "bending",
     .variant = "middle",
     .paper = {1.8e3, 7.3, 25}},
    {.label = "bending, BDEM, high",
     .scene = "bending",
     .variant = "paper",
     .paper = {18e3, 137.1, 25}},
    MPM_ROWS("low", "cd-mpm", NULL, 500, 0.6, 26),
    MPM_ROWS("middle", "cd-mpm-middle", NULL, 2e3, 5.2, 23),
    MPM_ROWS("high", "cd-mpm-paper", "bodies.beam.packing.points.spacing=2.4625 mm", 20e3, 48.2,
             11),
    FEM_ROWS("low", "fem", NULL, "duration=0.4 s", NULL, 578, 6.2, 6),
    FEM_ROWS("middle", "fem-middle", NULL, "duration=0.4 s", NULL, 1.7e3, 57.6, 13),
    FEM_ROWS("high", "fem-paper", "duration=1.5 s", "bodies.beam.packing.tetra.size=5.2 mm",
             "duration=0.4 s", 16.4e3, 1240, 29),
    {.label = "bending, |F_n| of (12), low",
     .scene = "bending",
     .variant = "absolute",
     .paper = {532, 0.9, 23}},
    {.label = "bending, |F_n| of (12), middle",
     .scene = "bending",
     .variant = "absolute",
     .settings = {"bodies.beam.packing.hcp.radius=1.93 mm"},
     .paper = {1.8e3, 7.3, 25},
     .why = "the punch crushes bonds, which tension does not break"},
    {.label = "bending, |F_n| of (12), high",
     .scene = "bending",
     .variant = "absolute",
     .settings = {"bodies.beam.packing.hcp.radius=0.892 mm"},
     .paper = {18e3, 137.1, 25},
     .why = "the punch crushes bonds, which tension does not break"},
};

// ---------------------------------------------------------------- Table 2, Figures 8 and 9: chocolate

static const paper_column FIGURE8_COLUMNS[] = {
    {.name = "points",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "elements"},
     .of_size = true},
    PAPER_TIME(THEIRS),
    {.name = "fragments",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "fragments"}},
};

// Two frames of 1/480 s after the bar has met the floor at 5 m/s. Points of a mesh are its nodes in the paper, tetrahedra
// in stats.csv; fragments of CD-MPM count every broken point.
static const paper_row FIGURE8_ROWS[] = {
    {.label = "FEM, by force",
     .scene = "chocolate",
     .variant = "fem",
     .settings = {"materials.chocolate.separation_force=2 N"},
     .reduced = {"bodies.bar.packing.tetra.size=5"},
     .frames = 2,
     .paper = {13.6e3, 650.0}},
    {.label = "FEM, by stress",
     .scene = "chocolate",
     .variant = "fem",
     .reduced = {"bodies.bar.packing.tetra.size=5"},
     .frames = 2,
     .paper = {13.6e3, 650.0}},
    {.label = "CD-MPM",
     .scene = "chocolate",
     .variant = "cd-mpm",
     .reduced = {"bodies.bar.packing.points.spacing=2.5"},
     .frames = 2,
     .paper = {20e3, 24.5}},
    {.label = "BDEM",
     .scene = "chocolate",
     .variant = "paper-table2",
     .reduced = {"bodies.bar.packing.hcp.radius=1.6 mm"},
     .frames = 2,
     .paper = {22e3, 106.8}},
};

// ---------------------------------------------------------------- Figures 10, 11 and 12

static const paper_column FIGURE10_COLUMNS[] = {
    {.name = "largest torque",
     .unit = "N m",
     .measure = paper_largest,
     .y = {"probes.csv", "right", "torque_x_nm"}},
    PAPER_TIME(THEIRS),
};

static const paper_row FIGURE10_ROWS[] = {
    {.label = "explicit",
     .scene = "beam-twist",
     .variant = "ibdem",
     .settings = {"solver.method=explicit"},
     .reduced_variant = "ibdem",
     .reduced = {"bodies.beam.packing.hcp.radius=6 mm"}},
    {.label = "explicit, [BDEM21]'s forces",
     .scene = "beam-twist",
     .variant = "lu",
     .reduced_variant = "lu",
     .reduced = {"bodies.beam.packing.hcp.radius=6 mm"}},
    {.label = "implicit",
     .scene = "beam-twist",
     .variant = "ibdem",
     .settings = {"solver.method=implicit"},
     .reduced_variant = "ibdem",
     .reduced = {"bodies.beam.packing.hcp.radius=6 mm"}},
};

static const paper_column COST_COLUMNS[] = {
    {.name = "elements", .unit = "1", .measure = paper_last, .y = {"stats.csv", NULL, "elements"}},
    PAPER_TIME(THEIRS),
    {.name = "speed-up", .unit = "1", .quotient_of = 2},
};

// Frames of 1/60 s, until the beam hangs.
#define COST_ROWS(name, at, more, at_full, small)                                                  \
    {.label = name ", explicit",                                                                   \
     .scene = "beam-drape",                                                                        \
     .variant = more,                                                                              \
     .settings = {"output.frame_rate=60", "solver.method=explicit", at_full},                      \
     .reduced = {small},                                                                           \
     .x = at,                                                                                      \
     .frames = 12},                                                                                \
    {                                                                                              \
        .label = name, .scene = "beam-drape", .variant = more,                                     \
        .settings = {"output.frame_rate=60", "solver.method=auto", at_full}, .reduced = {small},   \
        .x = at, .frames = 12                                                                      \
    }

// The same two by the paper: explicit steps of 0.2 T, and Algorithm 3.
#define PRINTED_COST_ROWS(name, at, more, step, at_full, small)                                    \
    {.label = name ", explicit, 0.2 T",                                                            \
     .scene = "beam-drape",                                                                        \
     .variant = more,                                                                              \
     .settings = {"output.frame_rate=60", "solver={method: explicit, safety: 0.2}", at_full},      \
     .reduced = {small},                                                                           \
     .x = at,                                                                                      \
     .frames = 6},                                                                                 \
    {                                                                                              \
        .label = name ", Algorithm 3", .scene = "beam-drape", .variant = more,                     \
        .settings = {"output.frame_rate=60",                                                       \
                     "solver={method: implicit, scheme: euler, optimizer: algorithm_3, "           \
                     "time_step: " step "}",                                                       \
                     at_full},                                                                     \
        .reduced = {small}, .x = at, .frames = 6                                                   \
    }

#define RADIUS "bodies.beam.packing.hcp.radius="

static const paper_row FIGURE11_ROWS[] = {
    COST_ROWS("1 MPa", 1e6, NULL, RADIUS "3.9 mm", RADIUS "7.8 mm"),
    COST_ROWS("10 MPa", 1e7, "stiff-1e7", RADIUS "3.9 mm", RADIUS "7.8 mm"),
    COST_ROWS("100 MPa", 1e8, "stiff-1e8", RADIUS "3.9 mm", RADIUS "7.8 mm"),
    COST_ROWS("1 GPa", 1e9, "stiff-1e9", RADIUS "3.9 mm", RADIUS "7.8 mm"),
    PRINTED_COST_ROWS("1 MPa", 1e6, NULL, "2.4 ms", RADIUS "3.9 mm", RADIUS "10 mm"),
    PRINTED_COST_ROWS("10 MPa", 1e7, "stiff-1e7", "8 ms", RADIUS "3.9 mm", RADIUS "10 mm"),
    PRINTED_COST_ROWS("100 MPa", 1e8, "stiff-1e8", "8 ms", RADIUS "3.9 mm", RADIUS "10 mm"),
    PRINTED_COST_ROWS("1 GPa", 1e9, "stiff-1e9", "8 ms", RADIUS "3.9 mm", RADIUS "10 mm"),
};

static const paper_row FIGURE12_ROWS[] = {
    COST_ROWS("radius 1", 0.0, "stiff-1e7", RADIUS "5.2 mm", RADIUS "12 mm"),
    COST_ROWS("radius 0.8", 0.0, "stiff-1e7", RADIUS "4.16 mm", RADIUS "9.6 mm"),
    COST_ROWS("radius 0.63", 0.0, "stiff-1e7", RADIUS "3.3 mm", RADIUS "7.6 mm"),
    COST_ROWS("radius 0.5", 0.0, "stiff-1e7", RADIUS "2.6 mm", RADIUS "6 mm"),
    PRINTED_COST_ROWS("radius 1", 0.0, "stiff-1e7", "8 ms", RADIUS "5.2 mm", RADIUS "12 mm"),
    PRINTED_COST_ROWS("radius 0.8", 0.0, "stiff-1e7", "8 ms", RADIUS "4.16 mm", RADIUS "9.6 mm"),
    PRINTED_COST_ROWS("radius 0.63", 0.0, "stiff-1e7", "8 ms", RADIUS "3.3 mm", RADIUS "7.6 mm"),
    PRINTED_COST_ROWS("radius 0.5", 0.0, "stiff-1e7", "8 ms", RADIUS "2.6 mm", RADIUS "6 mm"),
};

// ---------------------------------------------------------------- impacts at large steps

// Bonds that are overstressed break at the end of a step, of whatever length: stresses that come and go within a step
// break nothing. The bar of chocolate hits the floor with rho c v = 2.55 MPa.
static const paper_column IMPACT_COLUMNS[] = {
    {.name = "broken bonds",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "broken_bonds"}},
    {.name = "fragments",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "fragments"}},
    {.name = "explicit over implicit", .unit = "1", .quotient_of = 1},
};

#define IMPACT_ROWS(ratio, tensile, shear)                                                         \
    {.label = "rho c v = " ratio " sigma, explicit",                                               \
     .scene = "chocolate",                                                                         \
     .settings = {"solver.method=explicit", "materials.chocolate.tensile_strength=" tensile,       \
                  "materials.chocolate.shear_strength=" shear},                                    \
     .reduced = {"bodies.bar.packing.hcp.radius=2.2"},                                             \
     .frames = 8},                                                                                 \
    {                                                                                              \
        .label = "rho c v = " ratio " sigma, 50 T", .scene = "chocolate",                          \
        .settings = {"solver.method=implicit", "solver.fracture=end_of_step",                      \
                     "solver.time_step=50 T", "materials.chocolate.tensile_strength=" tensile,     \
                     "materials.chocolate.shear_strength=" shear},                                 \
        .reduced = {"bodies.bar.packing.hcp.radius=2.2"}, .frames = 8                              \
    }

static const paper_row IMPACT_ROWS_OF[] = {
    IMPACT_ROWS("1", "2.55 MPa", "3.06 MPa"),
    IMPACT_ROWS("3", "0.85 MPa", "1.02 MPa"),
    IMPACT_ROWS("10", "255 kPa", "306 kPa"),
    IMPACT_ROWS("50", "51 kPa", "61 kPa"),
};

static const paper_item ITEMS[] = {
    {.name = "ibdem25-table1",
     .paper = "[IBDEM25] Table 1",
     .title = "explicit and implicit steps",
     .note = "frames of 1/60 s, of 1/480 s where something breaks; the first ones. Ours switches "
             "by itself",
     PAPER_TABLE(TABLE1_COLUMNS, TABLE1_ROWS)},
    {.name = "ibdem25-table1-printed",
     .paper = "[IBDEM25] Table 1",
     .title = "explicit steps and the paper's Algorithm 3",
     .note = "explicit steps of 0.2 T as the paper's, implicit ones of as many T as its",
     PAPER_TABLE(TABLE1_COLUMNS, TABLE1_PRINTED_ROWS)},
    {.name = "ibdem25-table2",
     .paper = "[IBDEM25] Table 2, Fig. 5",
     .title = "fracture at three resolutions",
     PAPER_TABLE(TABLE2_COLUMNS, TABLE2_ROWS)},
    {.name = "ibdem25-fig8",
     .paper = "[IBDEM25] Table 2, Figs 8, 9",
     .title = "a bar of chocolate falls, by three methods",
     .note = "two frames of 1/480 s; each method with a threshold of its own, as there",
     PAPER_TABLE(FIGURE8_COLUMNS, FIGURE8_ROWS)},
    {.name = "ibdem25-fig10",
     .paper = "[IBDEM25] Fig. 10",
     .title = "a twisted beam by explicit and by implicit steps",
     PAPER_TABLE(FIGURE10_COLUMNS, FIGURE10_ROWS),
     .curve = {.x = {"probes.csv", "right", "time_s"},
               .y = {"probes.csv", "right", "torque_x_nm"},
               .x_label = "time [s]",
               .y_label = "torque [N m]"}},
    {.name = "ibdem25-impacts",
     .paper = "[IBDEM25] 5.3",
     .title = "what an impact breaks when bonds break at the end of large steps",
     PAPER_TABLE(IMPACT_COLUMNS, IMPACT_ROWS_OF)},
    {.name = "ibdem25-fig11",
     .paper = "[IBDEM25] Fig. 11",
     .title = "cost over stiffness",
     PAPER_TABLE(COST_COLUMNS, FIGURE11_ROWS),
     .curve = {.of_rows = 2, .x_label = "E [Pa]", .y_label = "time a frame [s]"}},
    {.name = "ibdem25-fig12",
     .paper = "[IBDEM25] Fig. 12",
     .title = "cost over the number of elements",
     PAPER_TABLE(COST_COLUMNS, FIGURE12_ROWS),
     .curve =
         {.of_rows = 2, .over = 1, .x_label = "number of elements", .y_label = "time a frame [s]"}},
};

const paper_items paper_items_ibdem25 = {ITEMS, PAPER_COUNT(ITEMS)};
