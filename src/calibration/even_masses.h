// Masses that allow the longest steps for a bar; its equilibrium does not depend on them.
#pragma once

#include <sherd/packing.h>

// Volumes for elements of a packing that lists its bonds (count), in proportion to how stiffly each
// is held: all then vibrate at about one frequency, where small elements and short bonds would otherwise limit the
// time step. Their sum is the shape's volume.
void sherd_even_volumes(const sherd_packing *packing, double *volume);
