// The projection of the reference Hessian to positive semi-definite matrices ([IBDEM25] 5.2).
#pragma once

enum {
    SHERD_SYMMETRIC_LARGEST = 14
}; // two ends with three positions and four quaternion components

// The nearest positive semi-definite matrix: negative eigenvalues become 0, the rest of the matrix stays
// as it is.
void sherd_symmetric_project(int n, double *a);
