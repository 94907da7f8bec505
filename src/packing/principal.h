// Along which axes points lie spread out.
#pragma once

#include <sherd/types.h>

// The coordinate axes where they are principal axes (as for everything modelled along its axes),
// otherwise the eigenvectors of the points' covariance, which is overwritten.
void sherd_principal_axes(double covariance[3][3], sherd_vec3 axis[3]);
