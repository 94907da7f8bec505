// The three lattices, and the sites inside a shape.
#pragma once

#include "packing/shape_analysis.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_lattice {
    sherd_packing_kind kind;
    sherd_packing_frame frame;
    double radius;        // spheres touch: sites are 2 r apart [m]
    sherd_vec3 phase;     // position of site (0, 0, 0), in the frame's coordinates [m]
    sherd_vec3 low, high; // extents of the shape in the frame [m]
    int layers;           // layers k = 0 .. layers-1 only; 0: as many as lie inside
    int64_t most;         // limit of sites; if there are more none are appended
} sherd_lattice;

// Distances between rows, and between layers, for r = 1, and the volume of one site's cell.
double sherd_lattice_row_spacing(sherd_packing_kind kind);
double sherd_lattice_layer_spacing(sherd_packing_kind kind);
double sherd_lattice_cell_volume(sherd_packing_kind kind);

// Centre of site (i, j, k) in the shape's coordinates.
sherd_vec3 sherd_lattice_site(const sherd_lattice *lattice, int64_t i, int64_t j, int64_t k);

// Centres, in the order in which they were added.
typedef struct sherd_centres {
    size_t count, capacity;
    sherd_vec3 *point;
} sherd_centres;

void sherd_centres_free(sherd_centres *centres);

typedef struct sherd_lattice_count {
    int64_t sites;         // sites whose sphere lies inside
    int64_t surface_sites; // those within one more radius of the surface,
    double surface_gap;    // and the mean of their gaps to it [m]
} sherd_lattice_count;

// Counts, and if `centres` is not NULL appends, the sites at least r - slack below the surface.
// Distances are computed only for blocks of the lattice near the surface.
sherd_status sherd_lattice_fill(const sherd_lattice *lattice, const sherd_shape *shape,
                                double slack, int threads, sherd_lattice_count *count,
                                sherd_centres *centres, sherd_error *error);
