// [RBDEM]: bonds as Cosserat rods, one linearised implicit step.
#include "paper/paper_items.h"
#include "paper/paper_measure.h"

#include <math.h>

#define DEVICE "a GTX 1080 Ti there"

// ---------------------------------------------------------------- Table 2

static const paper_column TABLE2_COLUMNS[] = {
    PAPER_TIME(DEVICE),
    {.name = "speed-up", .unit = "1", .quotient_of = 1, .of_size = true},
    {.name = "broken bonds",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "broken_bonds"}},
};

// A row of explicit steps as long as is safe, and one of Algorithm 1 with the paper's step and contact stiffness.
#define TABLE2_PAIR(name, of, more, small, explicit_s, implicit_s, ratio, rate, frames_of)         \
    {.label = name ", explicit",                                                                   \
     .scene = of,                                                                                  \
     .variant = "paper-implicit",                                                                  \
     .settings = {"output.frame_rate=" rate, more,                                                 \
                  "solver={method: explicit, contact_potential: barrier, contact_barrier: 2}"},    \
     .reduced = {small},                                                                           \
     .frames = frames_of,                                                                          \
     .paper = {explicit_s}},                                                                       \
    {                                                                                              \
        .label = name ", Algorithm 1", .scene = of, .variant = "paper-implicit",                   \
        .settings = {"output.frame_rate=" rate, more}, .reduced = {small}, .frames = frames_of,    \
        .paper = {implicit_s, ratio},                                                              \
        .why = "a step of n T takes 6 n iterations, each as long as an explicit step"              \
    }

#define THICK_SMALL                                                                                \
    "bodies.plate.packing.random.radius=4 mm", "drivers.bottom.region.box=[400 mm, 400 mm, 14 mm]"
#define SAME "output.stress=false" // changes nothing
#define STIFF "materials.rubber.youngs_modulus=500 kPa", "materials.rubber.shear_modulus=200 kPa"

static const paper_row TABLE2_ROWS[] = {
    TABLE2_PAIR("spring", "rod-spring", SAME, SAME, 3.76, 0.50, 7.52, "50", 5),
    TABLE2_PAIR("cantilever, 50 kPa", "rod-cantilever", SAME,
                "bodies.beam.packing.hcp.radius=2.5 mm", 3.45, 0.93, 3.71, "50", 5),
    TABLE2_PAIR("cantilever, 500 kPa", "rod-cantilever", STIFF,
                "bodies.beam.packing.hcp.radius=2.5 mm", 9.41, 1.16, 8.11, "50", 5),
    TABLE2_PAIR("bending", "rod-bending", SAME, "bodies.beam.packing.hcp.radius=2.5 mm", 30.45,
                15.62, 1.95, "100", 2),
    TABLE2_PAIR("bunny", "rod-rabbit", SAME, "bodies.rabbit.packing.random.radius=2.5", 28.19,
                21.06, 1.33, "100", 4),
    TABLE2_PAIR("thin plate", "rod-thin-plate", SAME, "bodies.plate.packing.random.radius=4 mm",
                58.40, 17.75, 3.29, "100", 1),
    TABLE2_PAIR("thick plate", "rod-thick-plate", SAME, THICK_SMALL, 5.90, 14.06, 0.42, "1000", 1),
};

// ---------------------------------------------------------------- Table 3

// The layer of rod-bending's variant `layer`: span 390 mm, thickness an element's diameter, height between the
// centres of the outermost elements; (29) of [BDEM21].
static const double SPAN = 0.39, THICKNESS = 2.5e-3, HEIGHT = 57.5e-3;

// Loads on both supports and deflections of the centre before the first break.
typedef struct layer_samples {
    paper_values load, deflection;
} layer_samples;

static void add_magnitudes(paper_values *sum, const paper_values *more)
{
    for (int64_t k = 0; k < sum->count && k < more->count; ++k)
        sum->at[k] = fabs(sum->at[k]) + fabs(more->at[k]);
}

// Probes' loads are means over an interval, their places those at its end. The first 3 % of the time to the first
// break are left out: contacts settle.
static layer_samples read_layer(const char *folder)
{
    paper_series force = {"probes.csv", "left", "force_z_n"};
    paper_values left = paper_values_read(folder, &force);
    force.probe = "right";
    paper_values right = paper_values_read(folder, &force);
    paper_values centre =
        paper_values_read(folder, &(paper_series){"probes.csv", "centre", "displacement_z_m"});
    paper_values time =
        paper_values_read(folder, &(paper_series){"probes.csv", "centre", "time_s"});
    paper_values breaks = paper_values_read(folder, &(paper_series){"breaks.csv", NULL, "time_s"});
    double end = breaks.count > 0 ? breaks.at[0] : INFINITY, last = 0.0;
    for (int64_t k = 1; k < breaks.count; ++k)
        end = fmin(end, breaks.at[k]);
    add_magnitudes(&left, &right);
    int64_t kept = 0;
    bool alike = left.count == centre.count && right.count == centre.count &&
                 time.count == centre.count && left.at != NULL && centre.at != NULL;
    for (int64_t k = 0; alike && k < centre.count; ++k) {
        double now = -centre.at[k], middle = 0.5 * (now + last);
        last = now;
        if (!(time.at[k] > 0.03 * end && time.at[k] < end && left.at[k] > 0.0)) continue;
        left.at[kept] = left.at[k];
        centre.at[kept++] = middle;
    }
    left.count = centre.count = kept;
    paper_values_free(&right);
    paper_values_free(&time);
    paper_values_free(&breaks);
    return (layer_samples){left, centre};
}

// k of F = k d + c d^3 by least squares: the stiffness at the start, as the beam turns on its supports later.
static double layer_modulus(const char *folder, const paper_column *column)
{
    (void)column;
    layer_samples s = read_layer(folder);
    double a11 = 0.0, a12 = 0.0, a22 = 0.0, b1 = 0.0, b2 = 0.0;
    for (int64_t k = 0; k < s.load.count; ++k) {
        double d = s.deflection.at[k], d3 = d * d * d, f = s.load.at[k];
        a11 += d * d, a12 += d * d3, a22 += d3 * d3, b1 += f * d, b2 += f * d3;
    }
    double stiffness = (b1 * a22 - b2 * a12) / (a11 * a22 - a12 * a12);
    paper_values_free(&s.load);
    paper_values_free(&s.deflection);
    return SPAN * SPAN * SPAN * stiffness / (4.0 * THICKNESS * HEIGHT * HEIGHT * HEIGHT);
}

static double layer_strength(const char *folder, const paper_column *column)
{
    (void)column;
    layer_samples s = read_layer(folder);
    double top = NAN;
    for (int64_t k = 0; k < s.load.count; ++k)
        top = fmax(top, s.load.at[k]); // fmax ignores NAN
    paper_values_free(&s.load);
    paper_values_free(&s.deflection);
    return 3.0 * SPAN * top / (2.0 * THICKNESS * HEIGHT * HEIGHT);
}

static const paper_column TABLE3_COLUMNS[] = {
    {.name = "E_macro", .unit = "Pa", .measure = layer_modulus},
    {.name = "sigma_macro", .unit = "Pa", .measure = layer_strength},
};

#define LAYER_SETTINGS "materials.beam.friction=0", "materials.beam.restitution=1"
#define EXPLICIT                                                                                   \
    "solver={method: explicit, contact_potential: barrier, contact_barrier: 2, "                   \
    "contact_stiffness: 10 MPa}"
#define ALGORITHM_1                                                                                \
    "solver={method: implicit, scheme: linear_euler, time_step: 200 us, fracture: end_of_step, "   \
    "contact_potential: barrier, contact_barrier: 2, contact_stiffness: 10 MPa}"

static const paper_row TABLE3_ROWS[] = {
    {.label = "BDEM, explicit",
     .scene = "rod-bending",
     .variant = "layer",
     .settings = {LAYER_SETTINGS, EXPLICIT, "materials.beam.bond_law=quaternion"},
     .paper = {1.11e8, 1.63e7}},
    {.label = "rods, kappa = 1, explicit",
     .scene = "rod-bending",
     .variant = "layer",
     .settings = {LAYER_SETTINGS, EXPLICIT, "materials.beam.shear_correction=1"},
     .paper = {1.11e8, 1.63e7}},
    {.label = "rods, explicit",
     .scene = "rod-bending",
     .variant = "layer",
     .settings = {LAYER_SETTINGS, EXPLICIT},
     .paper = {1.07e8, 1.55e7}},
    {.label = "rods, Algorithm 1",
     .scene = "rod-bending",
     .variant = "layer",
     .settings = {LAYER_SETTINGS, ALGORITHM_1},
     .paper = {1.07e8, 1.52e7}},
};

// ---------------------------------------------------------------- Figure 9

static const paper_column FIGURE9_COLUMNS[] = {
    {.name = "broken bonds",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "broken_bonds"}},
    {.name = "fragments",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "fragments"}},
    {.name = "first break",
     .unit = "s",
     .measure = paper_first,
     .y = {"stats.csv", NULL, "broken_bonds"},
     .from = 1.0,
     .x = {"stats.csv", NULL, "time_s"}},
};

#define FIGURE9_SMALL "bodies.beam.packing.hcp.radius=7 mm"
#define FIGURE9_EXPLICIT                                                                           \
    "solver={method: explicit, contact_potential: barrier, contact_barrier: 2, "                   \
    "contact_stiffness: 1 MPa}"

static const paper_row FIGURE9_ROWS[] = {
    {.label = "rods, Algorithm 1",
     .scene = "rod-twist",
     .variant = "paper-implicit",
     .reduced = {FIGURE9_SMALL}},
    {.label = "rods, explicit",
     .scene = "rod-twist",
     .variant = "paper-implicit",
     .settings = {FIGURE9_EXPLICIT},
     .reduced = {FIGURE9_SMALL}},
    {.label = "BDEM, explicit",
     .scene = "rod-twist",
     .variant = "paper-implicit",
     .settings = {FIGURE9_EXPLICIT, "materials.beam.bond_law=quaternion"},
     .reduced = {FIGURE9_SMALL}},
};

// ---------------------------------------------------------------- Figure 5

static const paper_column FIGURE5_COLUMNS[] = {
    {.name = "deepest tip",
     .unit = "m",
     .measure = paper_largest,
     .y = {"probes.csv", "tip", "displacement_z_m"}},
    {.name = "tip after 0.6 s",
     .unit = "m",
     .measure = paper_last,
     .y = {"probes.csv", "tip", "displacement_z_m"}},
    PAPER_TIME(DEVICE),
};

#define FIGURE5_ROWS_OF(modulus, at_full, ...)                                                     \
    {.label = modulus ", BDEM, explicit",                                                          \
     .scene = "rod-cantilever",                                                                    \
     .variant = at_full,                                                                           \
     .settings = {"materials.rubber.bond_law=quaternion", "solver={method: explicit}",             \
                  __VA_ARGS__},                                                                    \
     .reduced = {"bodies.beam.packing.hcp.radius=2.5 mm"},                                         \
     .frames = 30},                                                                                \
    {                                                                                              \
        .label = modulus ", rods, Algorithm 1", .scene = "rod-cantilever",                         \
        .variant = "paper-implicit", .settings = {__VA_ARGS__},                                    \
        .reduced = {"bodies.beam.packing.hcp.radius=2.5 mm"}, .frames = 30                         \
    }

static const paper_row FIGURE5_ROWS[] = {
    FIGURE5_ROWS_OF("50 kPa", "paper", SAME),
    FIGURE5_ROWS_OF("500 kPa", "paper", STIFF),
};

// ---------------------------------------------------------------- Figure 8

static const paper_column FIGURE8_COLUMNS[] = {
    PAPER_ELEMENTS,
    {.name = "first break",
     .unit = "s",
     .measure = paper_first,
     .x = {"stats.csv", NULL, "time_s"},
     .y = {"stats.csv", NULL, "broken_bonds"},
     .from = 1.0},
    {.name = "fragments",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "fragments"}},
};

static const paper_row FIGURE8_ROWS[] = {
    {.label = "layer", .scene = "rod-bending"},
    {.label = "layer with a hole", .scene = "rod-bending", .variant = "hole"},
    {.label = "random, 2.5 mm", .scene = "rod-bending", .variant = "random"},
    {.label = "random, 1.8 mm",
     .scene = "rod-bending",
     .variant = "random",
     .settings = {"bodies.beam.packing.random.radius=1.8 mm"}},
};

// ---------------------------------------------------------------- Section 3.5

static const paper_column CONTACT_COLUMNS[] = {
    {.name = "depth in the floor", .unit = "radii", .measure = paper_depth_in_obstacles},
    {.name = "depth of pairs", .unit = "radii", .measure = paper_depth_of_pairs},
    {.name = "broken bonds",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "broken_bonds"}},
    {.name = "fragments",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "fragments"}},
    {.name = "Newton iterations",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "newton_iterations"}},
    {.name = "steps", .unit = "1", .measure = paper_last, .y = {"stats.csv", NULL, "steps"}},
};

// The bar of chocolate meets the floor; k_c over E/2 is 0.01 to 10.
#define CONTACT_ROW(name, how)                                                                     \
    {                                                                                              \
        .label = name, .scene = "chocolate",                                                       \
        .settings = {"output.frame_rate=480", "output.contacts=true",                              \
                     "bodies.bar.packing.hcp.radius=1.6 mm", "solver={" how "}"},                  \
        .frames = 4                                                                                \
    }
#define EULER(how) "method: implicit, scheme: euler, time_step: 20 T, fracture: end_of_step, " how
#define BARRIER "contact_potential: barrier, contact_barrier: 1, "

static const paper_row CONTACT_ROWS[] = {
    CONTACT_ROW("penalty, 0.01, explicit", "method: explicit, contact_stiffness: 0.5 MPa"),
    CONTACT_ROW("penalty, 1, explicit", "method: explicit, contact_stiffness: 50 MPa"),
    CONTACT_ROW("penalty, 10, explicit", "method: explicit, contact_stiffness: 500 MPa"),
    CONTACT_ROW("penalty, 0.01", EULER("contact_stiffness: 0.5 MPa")),
    CONTACT_ROW("penalty, 0.1", EULER("contact_stiffness: 5 MPa")),
    CONTACT_ROW("penalty, 1", EULER("contact_stiffness: 50 MPa")),
    CONTACT_ROW("penalty, 10", EULER("contact_stiffness: 500 MPa")),
    CONTACT_ROW("barrier, 0.01", EULER(BARRIER "contact_stiffness: 0.5 MPa")),
    CONTACT_ROW("barrier, 0.1", EULER(BARRIER "contact_stiffness: 5 MPa")),
    CONTACT_ROW("barrier, 1", EULER(BARRIER "contact_stiffness: 50 MPa")),
    CONTACT_ROW("barrier, 10", EULER(BARRIER "contact_stiffness: 500 MPa")),
};

static const paper_item ITEMS[] = {
    {.name = "rbdem-table2",
     .paper = "[RBDEM] Table 2",
     .title = "Algorithm 1 and explicit steps",
     .note = "frames of 0.02 s, of 0.01 s where something breaks, 0.001 s of the thick plate; the "
             "first ones",
     PAPER_TABLE(TABLE2_COLUMNS, TABLE2_ROWS)},
    {.name = "rbdem-table3",
     .paper = "[RBDEM] Table 3",
     .title = "stiffness and strength of a bent layer",
     .note = "one layer, 6.5 times as long as high: the paper does not give the sizes",
     PAPER_TABLE(TABLE3_COLUMNS, TABLE3_ROWS)},
    {.name = "rbdem-fig5",
     .paper = "[RBDEM] Fig. 5",
     .title = "a cantilever let go, implicit rods beside BDEM",
     PAPER_TABLE(FIGURE5_COLUMNS, FIGURE5_ROWS),
     .curve = {.x = {"probes.csv", "tip", "time_s"},
               .y = {"probes.csv", "tip", "displacement_z_m"},
               .x_label = "time [s]",
               .y_label = "height of the tip [m]"}},
    {.name = "rbdem-fig8",
     .paper = "[RBDEM] Fig. 8",
     .title = "bending with a hole, and of random packings of two radii",
     .note = "frames of 10 ms; a random packing is softer and weaker than the layer",
     PAPER_TABLE(FIGURE8_COLUMNS, FIGURE8_ROWS),
     .curve = {.x = {"stats.csv", NULL, "time_s"},
               .y = {"stats.csv", NULL, "broken_bonds"},
               .x_label = "time [s]",
               .y_label = "broken bonds"}},
    {.name = "rbdem-contact",
     .paper = "[RBDEM] 3.5, [IBDEM25] 5.4",
     .title = "penalties of fixed stiffness and the barrier",
     .note = "stiffness k_c over E/2; steps of 20 T unless explicit",
     PAPER_TABLE(CONTACT_COLUMNS, CONTACT_ROWS)},
    {.name = "rbdem-fig9",
     .paper = "[RBDEM] Fig. 9",
     .title = "a twisted beam in three ways",
     PAPER_TABLE(FIGURE9_COLUMNS, FIGURE9_ROWS),
     .curve = {.x = {"stats.csv", NULL, "time_s"},
               .y = {"stats.csv", NULL, "broken_bonds"},
               .x_label = "time [s]",
               .y_label = "broken bonds"}},
};

const paper_items paper_items_rbdem = {ITEMS, PAPER_COUNT(ITEMS)};
