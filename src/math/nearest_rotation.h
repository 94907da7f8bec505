// The rotation nearest to a matrix.
#pragma once

#include <sherd/types.h>

// The R that maximises tr(R^T F): the polar part of F, and for singular or inverted F still a rotation.
// f[i][k] is F's row i.
sherd_quat sherd_nearest_rotation(double f[3][3]);
