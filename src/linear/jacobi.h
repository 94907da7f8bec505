// The reference backend: conjugate gradients preconditioned with the 6 x 6 diagonal blocks.
#pragma once

#include "linear/linear_solver.h"

extern const sherd_linear_backend sherd_linear_jacobi;
