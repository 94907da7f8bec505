// [BDEM21]: a bonded discrete element method for brittle fracture.
#include "paper/paper_items.h"
#include "paper/paper_measure.h"

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
    {.name = "time a frame", .unit = "s", .measure = paper_seconds, .of_size = true},
};

static const paper_row TABLE3_ROWS[] = {
    {.label = "BDEM, low",
     .scene = "bending-2d",
     .factor = {MODULUS(2e-3), STRENGTH(2e-3)},
     .curve_factor = {-1.0, STRENGTH(2e-3)},
     .paper = {1.1e7, 1.6e6, 1.1}},
    {.label = "BDEM, high",
     .scene = "bending-2d",
     .variant = "paper",
     .factor = {MODULUS(1e-3), STRENGTH(1e-3)},
     .curve_factor = {-1.0, STRENGTH(1e-3)},
     .paper = {1.1e7, 1.6e6, 5.0}},
};

static const paper_item ITEMS[] = {
    {.name = "bdem21-table3",
     .paper = "[BDEM21] Table 3",
     .title = "stiffness and strength of a bent layer by four methods",
     .note = "E 10 MPa, G 4 MPa, strength 1.25 MPa; the paper does not give the beam's size",
     PAPER_TABLE(TABLE3_COLUMNS, TABLE3_ROWS),
     .curve = {.x = {"probes.csv", "centre", "displacement_y_m"},
               .y = {"probes.csv", "punch", "force_y_n"},
               .x_label = "displacement of the centre [m]",
               .y_label = "3 l F / (2 b h^2) [Pa]"}},
};

const paper_items paper_items_bdem21 = {ITEMS, PAPER_COUNT(ITEMS)};
