// Small dense symmetric matrices of the reference Hessian: eigenvalues and the projection to positive
// semi-definite ones ([IBDEM25] 5.2).
#pragma once

enum {
    SHERD_SYMMETRIC_LARGEST = 14
}; // two ends with three positions and four quaternion components

// Eigenvalues of the n x n matrix a (row-major) in no order, and its eigenvectors as the columns of v,
// by cyclic Jacobi rotations. a is overwritten. Accurate to a few units of rounding of the largest.
void sherd_symmetric_eigen(int n, double *a, double *values, double *v);

// The nearest positive semi-definite matrix: negative eigenvalues become 0, the rest of the matrix stays
// as it is.
void sherd_symmetric_project(int n, double *a);
