// Principal axes of a set of points.
#pragma once

#include <sherd/types.h>

// The coordinate axes if they are principal axes (as for everything modelled along them), otherwise
// the eigenvectors of the points' covariance, which is overwritten.
void sherd_principal_axes(double covariance[3][3], sherd_vec3 axis[3]);
