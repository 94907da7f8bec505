// Voronoi cells of the points of a wall, in tangent planes. Points whose cells share an edge are
// bonded.
#pragma once

#include "packing/shell/shell_points.h"

typedef struct sherd_shell_bond {
    int32_t i, j; // i < j
    double width; // of the strip of wall that it represents: the cells' common edge [m]
} sherd_shell_bond;

typedef struct sherd_shell_cells {
    double *area;           // of each point's cell [m^2]  (points)
    size_t bond_count;      // in order of (i, j)
    sherd_shell_bond *bond; // (bond_count)
} sherd_shell_cells;

// Returns false if memory runs short; free it in any case.
bool sherd_shell_cells_init(sherd_shell_cells *cells, const sherd_shell_points *points,
                            const sherd_shell_target *target, double spacing, int threads);
void sherd_shell_cells_free(sherd_shell_cells *cells);
