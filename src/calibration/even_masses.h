// Masses that let a bar be stepped as fast as can be: at rest they don't matter.
#pragma once

#include <sherd/packing.h>

// Volumes for elements of a packing that lists its bonds (count), in proportion to how stiffly each
// is held: all then swing about as fast, where small elements and short bonds would else decide the
// time step. Their sum is the shape's volume.
void sherd_even_volumes(const sherd_packing *packing, double *volume);
