// Adapts a filled lattice to a curved surface.
#pragma once

#include "packing/lattice/fit_lattice.h"

// Changes `centres`, the sites of the fitted lattice inside the shape. Does nothing for boxes and
// for packings other than close packing. Returns false if memory runs short.
bool sherd_conform_to_surface(const sherd_shape *shape, const sherd_shape_analysis *analysis,
                              const sherd_lattice_fit *fit, const sherd_packing_def *def,
                              sherd_centres *centres);
