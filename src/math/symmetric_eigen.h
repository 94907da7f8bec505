// Eigenvalues and eigenvectors of small dense symmetric matrices, by cyclic Jacobi rotations.
#pragma once

// Eigenvalues of the n x n matrix a (row-major), unsorted, and its unit eigenvectors as the columns
// of v (row-major), which form a proper rotation. a is overwritten. Accurate to a few roundings of
// the largest entry. For a diagonal matrix the order is kept, and v is the identity.
void sherd_symmetric_eigen(int n, double *a, double *values, double *v);
