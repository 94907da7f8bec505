// Products with the stiffness of tetrahedra at their present rotations, V B^T C B turned by R. The
// derivative of R, which adds terms of the order of the strain, is left out.
#pragma once

#include "linear/eigenvalue.h"
#include "models/fem/fem.h"

// y = M^(-1/2) (K + c C) M^(-1/2) x over six freedoms of each node, of which rotations have none
// (model.h: prepare_stiffness).
sherd_status sherd_fem_prepare_stiffness(const sherd_fem *fem, double c,
                                         sherd_prepared_operator *product, sherd_error *error);
