// Fits the lattice to the shape: the radius such that whole layers fill the thickness, and the best
// phase.
#pragma once

#include "packing/lattice/lattice.h"

typedef struct sherd_lattice_fit {
    sherd_lattice lattice;
    int layers;   // across the wall, or the thinnest extent where there is no uniform wall
    double slack; // how much less than r below the surface still counts as inside [m]
    bool is_flat; // a box, or a plate of constant thickness: layers meet both faces everywhere
} sherd_lattice_fit;

// Status INPUT if nothing fits or too many elements would; decided before filling.
sherd_status sherd_fit_lattice(const sherd_shape *shape, const sherd_shape_analysis *analysis,
                               const sherd_packing_def *def, sherd_lattice_fit *fit,
                               sherd_error *error);
