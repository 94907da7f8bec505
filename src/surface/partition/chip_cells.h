// Cells of small pieces: what debris is cut out as.
//
// Sums of kernels (partition.h) round off what is small: a lone element would be a ball, and a heap of lone
// elements of a lattice that of its dice, rhombic dodecahedra. Chips, the elements of fragments of few elements and
// of thin pieces, own their cells of the power diagram of all elements' seeds instead,
//
//     u_e(X) = (r_e^2 - |X - s_e|^2) / r^2,      s_e = X_e + jitter,    r the largest radius:
//
// convex polyhedra with plane faces, on which differences of u are linear, so that a grid that interpolates
// linearly draws them exactly. A seed depends on its element alone: a chip keeps its shape whatever its
// neighbours become, and both sides of a crack coincide.
//
// All other elements share what chips leave: a point belongs to a chip where its u is larger than any other
// element's, else to the fragment of largest density. With u_T the largest u of elements that are no chips, a
// fragment F of density psi_F counts as  u_T + ln psi_F - max ln psi  against the chips' u.
#pragma once

#include "math/point_bins.h"

#include <sherd/fragments.h>

// Fragments of up to this many elements are chips. Larger ones have an inside that kernels can fill.
enum {
    CHIP_ELEMENTS = 8,
    CHIPS_STRONGEST = 8, // that are told of a point
};

typedef struct chip_cells {
    bool used;
    double reach;        // of cells: how far from its seed an element's u can be the largest [m]
    double jitter;       // the farthest that a seed is from its element [m]
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

// What cells tell of a point: the chips in reach, and the strongest of all other elements.
typedef struct cells_at_point {
    strongest_list chips;
    sherd_fragment_id rest_label;
    double rest; // -INFINITY where none is in reach
} cells_at_point;

// Elements are those of the bins; `radius` by source element. `margin` [m] is how far from a cell its u is wanted.
// False when memory is short; release in any case.
bool sherd_chip_cells_create(chip_cells *c, const sherd_point_bins *elements, const double *radius,
                             double margin);
void sherd_chip_cells_release(chip_cells *c);

// `label` and `weight` in bin order: elements of a weight other than 1 are those of thin pieces. Marks as `changed`
// what became a chip or ceased to be one. False when memory is short.
bool sherd_chip_cells_update(chip_cells *c, int32_t count, const sherd_fragment_id *label,
                             const double *weight, uint8_t *changed);

// Elements in reach of a box, chips and others apart; zero-filled is empty and ready for use.
enum { CELL_LANES = 8 }; // of vectors; there is room for a whole number of them
typedef struct cell_list {
    int32_t count;
    size_t room;
    struct cell_run {
        double x[CELL_LANES], y[CELL_LANES], z[CELL_LANES], power[CELL_LANES];
        sherd_fragment_id label[CELL_LANES];
    } * runs; // the last one is filled up with elements that are nowhere
} cell_list;
typedef struct cells_near {
    cell_list chips, rest;
} cells_near;

// False when memory is short. There may be no chips; the rest is found only where there are.
bool sherd_chip_cells_near(const chip_cells *c, const sherd_point_bins *elements,
                           const sherd_fragment_id *label, sherd_vec3 low, sherd_vec3 high,
                           cells_near *near);
void sherd_cells_near_release(cells_near *near);
// Of a point in the box. False, and nothing told, where no chip is in reach of it. The same in every box.
bool sherd_chip_cells_at(const chip_cells *c, const cells_near *near, sherd_vec3 x,
                         cells_at_point *out);
// All fragments at a point: those of chips, and `count` others with the logarithms of their densities, descending.
void sherd_chip_cells_join(const cells_at_point *at, int count, const sherd_fragment_id *label,
                           const double *log, strongest_list *out);
