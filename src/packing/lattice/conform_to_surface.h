// Making a filled lattice follow a curved surface.
#pragma once

#include "packing/lattice/fit_lattice.h"

// Changes `centres`, the sites of the fitted lattice inside the shape. Leaves boxes alone, and
// every packing other than close packing. False when memory is short.
bool sherd_conform_to_surface(const sherd_shape *shape, const sherd_shape_analysis *analysis,
                              const sherd_lattice_fit *fit, const sherd_packing_def *def,
                              sherd_centres *centres);
