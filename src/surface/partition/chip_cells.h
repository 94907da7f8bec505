// Cells of a power diagram as the shapes of small fragments (chips).
//
// Sums of kernels (partition.h) round off small pieces: an isolated element would be a ball, and a
// heap of isolated lattice elements a heap of identical rhombic dodecahedra. Chips are the elements
// of fragments with few elements and of thin pieces. Each owns its cell in the power diagram of all
// elements' seeds instead,
//
//     u_e(X) = (r_e^2 - |X - s_e|^2) / r^2,      s_e = X_e + jitter,    r the largest radius:
//
// The cells are convex polyhedra. Differences of u are linear, so linear interpolation on a grid
// reproduces the faces exactly. A seed depends only on its element: a chip retains its shape
// whatever happens to its neighbours, and both sides of a crack coincide.
//
// All other elements divide the remaining space: a point belongs to a chip if the chip's u is
// larger than that of any other element, else to the fragment of largest density. With u_T the
// largest u of elements that are not chips, a fragment F of density psi_F has the value  u_T + ln
// psi_F - max ln psi,  which is compared with the chips' u.
#pragma once

#include "math/point_bins.h"

#include <sherd/fragments.h>

// Fragments of up to this many elements are chips. Larger ones have an interior that kernels can
// fill.
enum {
    CHIP_ELEMENTS = 8,
    CHIPS_STRONGEST = 8, // number of fragments reported at a point
};

typedef struct chip_cells {
    bool used;
    // Maximum distance from its seed at which an element's u can be the largest [m].
    double reach;
    double jitter;       // maximum distance of a seed from its element [m]
    double inverse_unit; // 1 / r^2
    sherd_vec3 *seed;    // s_e, bin order  (elements)
    double *power;       // r_e^2, the same  (elements)
    uint8_t *is_chip;    // the same         (elements)
} chip_cells;

// The strongest fragments at a point, in descending order.
typedef struct strongest_list {
    int count;
    sherd_fragment_id label[CHIPS_STRONGEST];
    double value[CHIPS_STRONGEST];
} strongest_list;

// The chips in reach of a point, and the strongest of all other elements.
typedef struct cells_at_point {
    strongest_list chips;
    sherd_fragment_id other_label;
    double others; // the largest u of elements that are not chips; -INFINITY if none is in reach
} cells_at_point;

// Uses the elements of the bins; `radius` is by source element. `margin` [m] is the distance from a
// cell up to which its u is needed. Returns false when out of memory; call release in any case.
bool sherd_chip_cells_create(chip_cells *c, const sherd_point_bins *elements, const double *radius,
                             double margin);
void sherd_chip_cells_release(chip_cells *c);

// `label` and `weight` are in bin order: elements of a weight other than 1 belong to thin pieces.
// Marks elements as `changed` that became chips or ceased to be chips. Returns false when out of
// memory.
bool sherd_chip_cells_update(chip_cells *c, int32_t count, const sherd_fragment_id *label,
                             const double *weight, uint8_t *changed);

// Elements in reach of a box, chips and others in separate lists; zero-initialised is empty and
// ready for use.
enum { CELL_LANES = 8 }; // vector width; lists have room for a whole number of vectors
typedef struct cell_list {
    int32_t count;
    size_t capacity;
    struct cell_run {
        double x[CELL_LANES], y[CELL_LANES], z[CELL_LANES], power[CELL_LANES];
        sherd_fragment_id label[CELL_LANES];
    } * runs; // the last run is padded with elements at infinity
} cell_list;
typedef struct cells_near {
    cell_list chips, others;
} cells_near;

// Returns false when out of memory. There may be no chips; other elements are listed only if there
// are.
bool sherd_chip_cells_near(const chip_cells *c, const sherd_point_bins *elements,
                           const sherd_fragment_id *label, sherd_vec3 low, sherd_vec3 high,
                           cells_near *near);
void sherd_cells_near_release(cells_near *near);
// Evaluates a point in the box. Returns false, without output, if no chip is in reach. The result
// is the same for every box.
bool sherd_chip_cells_at(const chip_cells *c, const cells_near *near, sherd_vec3 x,
                         cells_at_point *out);
// Evaluates all fragments at a point: those of chips, and `count` others with the logarithms of
// their densities, descending.
void sherd_chip_cells_join(const cells_at_point *at, int count, const sherd_fragment_id *label,
                           const double *log, strongest_list *out);
