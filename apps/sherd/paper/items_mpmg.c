// [MPMG]: contact of many bodies of material points, and cracks by glue.
#include "paper/paper_items.h"
#include "paper/paper_measure.h"

#include <math.h>
#include <stddef.h>

// Of a probe's column: the value in the row `back` rows before the last.
static double value_of(const char *folder, const char *probe, const char *name, int64_t back)
{
    paper_values v = paper_values_read(folder, &(paper_series){"probes.csv", probe, name});
    double value = v.count > back ? v.at[v.count - 1 - back] : NAN;
    paper_values_free(&v);
    return value;
}

// ---------------------------------------------------------------- Table 1

enum { SPHERES = 3 };
static const char *const STRUCK[SPHERES] = {"on-a", "on-b", "on-c"};

// How far the spheres have moved along y, which is our z; means of the three.
static double spheres_way(const char *folder, const paper_column *column)
{
    double sum = 0.0;
    (void)column;
    for (int k = 0; k < SPHERES; ++k)
        sum += value_of(folder, STRUCK[k], "displacement_z_m", 0);
    return sum / SPHERES;
}

// Nothing touches them any more at the end.
static double spheres_speed(const char *folder, const paper_column *column)
{
    static const char *const AXES[3] = {"displacement_x_m", "displacement_y_m", "displacement_z_m"};
    double sum = 0.0;
    (void)column;
    for (int k = 0; k < SPHERES; ++k) {
        double squares = 0.0, time = value_of(folder, STRUCK[k], "time_s", 0) -
                                     value_of(folder, STRUCK[k], "time_s", 1);
        for (int axis = 0; axis < 3; ++axis) {
            double way = value_of(folder, STRUCK[k], AXES[axis], 0) -
                         value_of(folder, STRUCK[k], AXES[axis], 1);
            squares += way * way;
        }
        sum += sqrt(squares) / time;
    }
    return sum / SPHERES;
}

// By how much of the mean they differ.
static double spheres_spread(const char *folder, const paper_column *column)
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < SPHERES; ++k) {
        double way = value_of(folder, STRUCK[k], "displacement_z_m", 0);
        least = fmin(least, way), most = fmax(most, way);
    }
    return (most - least) / fabs(spheres_way(folder, column));
}

static const paper_column TABLE1_COLUMNS[] = {
    {.name = "y", .unit = "m", .measure = spheres_way},
    {.name = "v", .unit = "m/s", .measure = spheres_speed},
    {.name = "spread of y", .unit = "1", .measure = spheres_spread},
};

#define TABLE1_PAPER                                                                               \
    {                                                                                              \
        -8.91, 1.45, 0.031                                                                         \
    }

static const paper_row TABLE1_ROWS[] = {
    {.label = "pair by pair",
     .scene = "points-spheres",
     .variant = "paper",
     .paper = TABLE1_PAPER,
     .why = "no modulus, Poisson's ratio and distance give 1.45 m/s with this friction; the spread "
            "is the grid's and depends on the modulus"},
    {.label = "pair by pair, E = 1 MPa",
     .scene = "points-spheres",
     .variant = "paper",
     .settings = {"materials.rubber.youngs_modulus=1 MPa"},
     .paper = TABLE1_PAPER,
     .why = "v falls with the modulus, and the spread comes with it"},
    {.label = "pair by pair, friction 0.05",
     .scene = "points-spheres",
     .variant = "paper-smooth",
     .paper = TABLE1_PAPER,
     .why = "the spread depends on the modulus"},
    {.label = "surfaces",
     .scene = "points-spheres",
     .variant = "paper-surfaces",
     .paper = TABLE1_PAPER,
     .why = "spheres in a regular triangle move alike; a spread is an error"},
};

// ---------------------------------------------------------------- Figure 5

// Kinetic energy at the end, of the largest.
static double kinetic_left(const char *folder, const paper_column *column)
{
    paper_values v = paper_values_read(folder, &column->y);
    double most = 0.0, last = v.count > 0 ? v.at[v.count - 1] : NAN;
    for (int64_t k = 0; k < v.count; ++k)
        most = fmax(most, v.at[k]);
    paper_values_free(&v);
    return last / most;
}

static const paper_column FIGURE5_COLUMNS[] = {
    {.name = "points",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "elements"},
     .of_size = true},
    {.name = "kinetic energy left",
     .unit = "1",
     .measure = kinetic_left,
     .y = {"stats.csv", NULL, "kinetic_j"}},
    PAPER_TIME(NULL),
};

#define PAIRWISE "solver.point_contact=pairwise", "solver.transfer=flip"

static const paper_row FIGURE5_ROWS[] = {
    {.label = "pair by pair",
     .scene = "points-kubbs",
     .variant = "paper",
     .settings = {PAIRWISE},
     .reduced_variant = "",
     .reduced = {"duration=5 s"},
     .paper = {72030.0}},
    {.label = "surfaces",
     .scene = "points-kubbs",
     .variant = "paper",
     .reduced_variant = "",
     .reduced = {"duration=5 s"},
     .paper = {72030.0}},
};

// ---------------------------------------------------------------- Figure 7

static const paper_column FIGURE7_COLUMNS[] = {
    {.name = "points",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "elements"},
     .of_size = true},
    {.name = "broken glue",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "broken_bonds"}},
    {.name = "torn elsewhere",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "torn"}},
    {.name = "fragments",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "fragments"}},
};

static const paper_row FIGURE7_ROWS[] = {
    {.label = "zigzag",
     .scene = "points-tearing",
     .variant = "paper",
     .reduced = {"bodies.sponge.packing.points.spacing=10 mm"},
     .paper = {35301.0}},
    {.label = "diagonal",
     .scene = "points-tearing",
     .variant = "paper-diagonal",
     .reduced = {"bodies.sponge.packing.points.spacing=10 mm"},
     .paper = {35301.0}},
    {.label = "no pieces",
     .scene = "points-tearing",
     .variant = "paper-plain",
     .reduced = {"bodies.0.packing.points.spacing=10 mm"},
     .paper = {35301.0}},
    {.label = "zigzag, glue by force",
     .scene = "points-tearing",
     .variant = "paper-modes",
     .reduced = {"bodies.sponge.packing.points.spacing=40 mm"},
     .paper = {35301.0}},
};

// ---------------------------------------------------------------- Figure 8

static const double CELL = 0.02926; // [m]

// Mean opening of the crack inside the ring, in cells: the largest, or, with `from`, the least after 45 ms.
static double crack_opening(const char *folder, const paper_column *column)
{
    paper_values up = paper_values_read(folder, &column->y),
                 down = paper_values_read(folder, &column->x),
                 time = paper_values_read(folder, &(paper_series){"probes.csv", "above", "time_s"});
    double most = NAN, least = NAN;
    for (int64_t k = 0; k < up.count && up.count == down.count && up.count == time.count; ++k) {
        double opening = (up.at[k] - down.at[k]) / CELL;
        most = fmax(most, opening);
        if (time.at[k] >= column->from) least = fmin(least, opening);
    }
    paper_values_free(&up), paper_values_free(&down), paper_values_free(&time);
    return column->from > 0.0 ? least : most;
}

#define OPENING                                                                                    \
    .measure = crack_opening, .y = {"probes.csv", "above", "displacement_z_m"},                    \
    .x = {"probes.csv", "below", "displacement_z_m"}

static const paper_column FIGURE8_COLUMNS[] = {
    {.name = "points", .unit = "1", .measure = paper_last, .y = {"stats.csv", NULL, "elements"}},
    {.name = "broken glue",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "broken_bonds"}},
    {.name = "largest opening", .unit = "1", OPENING},
    {.name = "least opening after 45 ms", .unit = "1", OPENING, .from = 45e-3},
};

static const paper_row FIGURE8_ROWS[] = {
    {.label = "pair by pair, glue by force",
     .scene = "torus-wall",
     .variant = "paper-modes",
     .paper = {37100.0}},
    {.label = "pair by pair, glue by stress",
     .scene = "torus-wall",
     .variant = "paper",
     .settings = {PAIRWISE},
     .paper = {37100.0}},
    {.label = "surfaces, glue by stress",
     .scene = "torus-wall",
     .variant = "paper",
     .paper = {37100.0}},
};

static const paper_item ITEMS[] = {
    {.name = "mpmg-table1",
     .paper = "[MPMG] Table 1, Fig. 4",
     .title = "a sphere hits three",
     .note = "the paper gives neither modulus nor distance; means of its three spheres",
     PAPER_TABLE(TABLE1_COLUMNS, TABLE1_ROWS)},
    {.name = "mpmg-fig5",
     .paper = "[MPMG] Fig. 5",
     .title = "kubbs come to rest",
     .note = "at rest after 10 s there; reduced, 24 kubbs for 5 s",
     PAPER_TABLE(FIGURE5_COLUMNS, FIGURE5_ROWS)},
    {.name = "mpmg-fig7",
     .paper = "[MPMG] Fig. 7",
     .title = "a sponge tears where it was drawn",
     PAPER_TABLE(FIGURE7_COLUMNS, FIGURE7_ROWS)},
    {.name = "mpmg-fig8",
     .paper = "[MPMG] Fig. 8",
     .title = "cracks inside a torus",
     .note = "openings in cells of 2.93 cm; there the crack never closes",
     PAPER_TABLE(FIGURE8_COLUMNS, FIGURE8_ROWS)},
};

const paper_items paper_items_mpmg = {ITEMS, PAPER_COUNT(ITEMS)};
