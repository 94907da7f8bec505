// Mass scaling of a test bar for the largest time step; its equilibrium does not depend on masses.
#pragma once

#include <sherd/packing.h>

// Volumes for the elements of a packing that lists its bonds (count), proportional to the stiffness
// of their bonds: all elements then vibrate at about one frequency, while otherwise small elements
// and short bonds would limit the time step. The sum of volumes is the shape's volume.
void sherd_even_volumes(const sherd_packing *packing, double *volume);
