// [BDEM21]: a bonded discrete element method for brittle fracture.
#include "paper/paper_items.h"
#include "paper/paper_measure.h"

#define THEIRS "a GTX 1080 Ti there, of beam bending an i7-8700"

// ---------------------------------------------------------------- Table 2

static const paper_column TABLE2_COLUMNS[] = {
    PAPER_ELEMENTS,
    PAPER_TIME(THEIRS),
};

// Without --full the small scenes of the same names. Frames are the paper's, 10 ms or 1/480 s.
#define TABLE2_ROW(name, of, more, count, seconds, rate, frames_of)                                \
    {                                                                                              \
        .label = name, .scene = of, .variant = more, .settings = {"output.frame_rate=" rate},      \
        .reduced_variant = "", .frames = frames_of, .paper = {                                     \
            count,                                                                                 \
            seconds                                                                                \
        }                                                                                          \
    }

static const paper_row TABLE2_ROWS[] = {
    TABLE2_ROW("beam bending", "bending-3d", "paper", 24e3, 68.7, "100", 5),
    TABLE2_ROW("beam twisting", "beam-twist", "paper", 69e3, 9.3, "100", 5),
    TABLE2_ROW("paper", "paper", "paper", 46e3, 13.4, "100", 5),
    TABLE2_ROW("rope", "rope", "paper", 78e3, 21.6, "100", 5),
    TABLE2_ROW("coke can", "can", "paper", 495e3, 297.8, "100", 2),
    TABLE2_ROW("bunny Jell-O", "jelly", "paper", 1.26e6, 284.8, "100", 2),
    TABLE2_ROW("drilling, plaster", "drill-plaster", "paper", 312e3, 520.4, "100", 2),
    TABLE2_ROW("drilling, wood", "drill-wood", "paper", 312e3, 520.4, "100", 2),
    TABLE2_ROW("textile", "woven", "paper", 120e3, 132.4, "100", 2),
    TABLE2_ROW("hourglass", "hourglass", "paper", 966e3, 706.5, "480", 1),
    TABLE2_ROW("window breaking", "window", "paper", 521e3, 734.7, "480", 1),
    TABLE2_ROW("coupling", "letters", "paper", 547e3, 106.8, "100", 2),
};

// ---------------------------------------------------------------- Table 3

// Of three-point bending of one layer: E = l^3 / (4 b h^3) dF/ddelta, sigma = 3 l F / (2 b h^2), (29). Span l
// = 84 mm and height h = 20.78 mm; the thickness b is an element's diameter.
#define SPAN 84e-3
#define HEIGHT 20.785e-3
#define MODULUS(b) (SPAN * SPAN * SPAN / (4.0 * (b)*HEIGHT * HEIGHT * HEIGHT))
#define STRENGTH(b) (3.0 * SPAN / (2.0 * (b)*HEIGHT * HEIGHT))

static const paper_column TABLE3_COLUMNS[] = {
    // From where contacts have settled to a third of the strength: later the beam turns on its supports.
    {.name = "E_macro",
     .unit = "Pa",
     .measure = paper_slope,
     .y = {"probes.csv", "punch", "force_y_n"},
     .x = {"probes.csv", "centre", "displacement_y_m"},
     .from = 0.05,
     .to = 0.33},
    {.name = "sigma_macro",
     .unit = "Pa",
     .measure = paper_largest,
     .y = {"probes.csv", "punch", "force_y_n"}},
    PAPER_TIME(THEIRS),
};

#define THEORY                                                                                     \
    "ours is what the lattice's sums give; docs/papers/springs-and-peridynamics.md has the study"

#define TABLE3_ROW(name, more, b, modulus, strength, seconds, because)                             \
    {                                                                                              \
        .label = name, .scene = "bending-2d", .variant = more,                                     \
        .factor = {MODULUS(b), STRENGTH(b)}, .curve_factor = {-1.0, STRENGTH(b)},                  \
        .paper = {modulus, strength, seconds}, .why = because                                      \
    }

static const paper_row TABLE3_ROWS[] = {
    TABLE3_ROW("mass-spring, low", "springs", 2e-3, 7.9e7, 1.4e7, 1.2, THEORY),
    TABLE3_ROW("mass-spring, high", "springs-paper", 1e-3, 1.0e8, 1.6e7, 4.7, THEORY),
    TABLE3_ROW("peridynamics, low", "peridynamics", 2e-3, 1.8e7, 2.6e6, 0.8, THEORY),
    TABLE3_ROW("peridynamics, high", "peridynamics-paper", 1e-3, 1.7e7, 2.4e6, 4.5, THEORY),
    TABLE3_ROW("CD-MPM, low", "cd-mpm", 8.32e-3, 1.2e7, 1.6e6, 0.12,
               "10 rows of points, whose outermost lie at 0.9 of the half height"),
    TABLE3_ROW("CD-MPM, high", "cd-mpm-paper", 8.32e-3, 1.0e7, 1.6e6, 0.58,
               "solid: one layer of points buckles"),
    TABLE3_ROW("BDEM, low", NULL, 2e-3, 1.1e7, 1.6e6, 1.1, NULL),
    TABLE3_ROW("BDEM, high", "paper", 1e-3, 1.1e7, 1.6e6, 5.0, NULL),
};

// ---------------------------------------------------------------- Figure 13

// Of the unbroken bar: what its own triangles, which `cut` keeps, enclose and measure.
#define BAR_VOLUME 1.04575e-4
#define BAR_AREA 3.15705e-2

static const paper_column FIGURE13_COLUMNS[] = {
    {.name = "fragments",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "fragments"}},
    {.name = "closed surfaces", .unit = "1", .measure = paper_surface_parts, .from = 1},
    {.name = "area", .unit = "m2", .measure = paper_surface_area, .from = 1},
    {.name = "volume, unbroken", .unit = "1", .measure = paper_surface_volume, .from = 0},
    {.name = "area, unbroken", .unit = "1", .measure = paper_surface_area, .from = 0},
    {.name = "time of a frame's surface",
     .unit = "s",
     .measure = paper_largest,
     .y = {"timings.csv", NULL, "surfaces_s"}},
};

// 5 ms after the bar has met the floor.
#define FIGURE13_ROW(name, method)                                                                 \
    {                                                                                              \
        .label = name, .scene = "chocolate",                                                       \
        .settings = {"output.frame_rate=200", "output.meshes=[ply]",                               \
                     "output.surface.method=" method},                                             \
        .frames = 1, .factor = {                                                                   \
            1.0,                                                                                   \
            1.0,                                                                                   \
            1.0,                                                                                   \
            1.0 / BAR_VOLUME,                                                                      \
            1.0 / BAR_AREA                                                                         \
        }                                                                                          \
    }

static const paper_row FIGURE13_ROWS[] = {
    FIGURE13_ROW("naive marching cubes", "blobs"),
    FIGURE13_ROW("marching by broken bonds", "marching"),
    FIGURE13_ROW("cut by broken bonds", "cut"),
};

// ---------------------------------------------------------------- Figure 18

static const paper_column FIGURE18_COLUMNS[] = {
    {.name = "largest force",
     .unit = "N",
     .measure = paper_largest,
     .y = {"probes.csv", "punch", "force_z_n"}},
    {.name = "broken bonds",
     .unit = "1",
     .measure = paper_last,
     .y = {"stats.csv", NULL, "broken_bonds"}},
};

static const paper_row FIGURE18_ROWS[] = {
    {.label = "one size, lattice", .scene = "bending-3d"},
    {.label = "sizes 0.9 to 4, random", .scene = "bending-3d", .variant = "sizes"},
};

static const paper_item ITEMS[] = {
    {.name = "bdem21-table2",
     .paper = "[BDEM21] Table 2",
     .title = "cost of the scenes",
     .note = "frames of 10 ms, of 1/480 s of hourglass and window; the first ones",
     PAPER_TABLE(TABLE2_COLUMNS, TABLE2_ROWS)},
    {.name = "bdem21-table3",
     .paper = "[BDEM21] Table 3",
     .title = "stiffness and strength of a bent layer by four methods",
     .note = "E 10 MPa, G 4 MPa, strength 1.25 MPa; the paper does not give the beam's size",
     PAPER_TABLE(TABLE3_COLUMNS, TABLE3_ROWS),
     .curve = {.x = {"probes.csv", "centre", "displacement_y_m"},
               .y = {"probes.csv", "punch", "force_y_n"},
               .x_label = "displacement of the centre [m]",
               .y_label = "3 l F / (2 b h^2) [Pa]"}},
    {.name = "bdem21-fig13",
     .paper = "[BDEM21] Fig. 13",
     .title = "surfaces of a broken bar, naive and by bonds",
     .note = "in one picture: docs/papers/bdem21.md",
     PAPER_TABLE(FIGURE13_COLUMNS, FIGURE13_ROWS)},
    {.name = "bdem21-fig18",
     .paper = "[BDEM21] Fig. 18",
     .title = "a bent beam of elements of many sizes",
     PAPER_TABLE(FIGURE18_COLUMNS, FIGURE18_ROWS),
     .curve = {.x = {"probes.csv", "punch", "time_s"},
               .y = {"probes.csv", "punch", "force_z_n"},
               .x_label = "time [s]",
               .y_label = "force of the punch [N]"}},
};

const paper_items paper_items_bdem21 = {ITEMS, PAPER_COUNT(ITEMS)};
