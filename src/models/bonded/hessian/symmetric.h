// The projection of the reference Hessian to positive semi-definite matrices ([IBDEM25] 5.2).
#pragma once

enum {
    SHERD_SYMMETRIC_LARGEST = 14
}; // two ends with three positions and four quaternion components

// The nearest positive semi-definite matrix: negative eigenvalues become 0, the rest of the matrix stays
// as it is.
void sherd_symmetric_project(int n, double *a);

// The same for eight 9 x 9 matrices at once, of which only the entries below and on the diagonal are read and
// written.
enum { SHERD_SYMMETRIC_SIZE = 9, SHERD_SYMMETRIC_LANES = 8 };
typedef double sherd_symmetric_lanes[SHERD_SYMMETRIC_SIZE][SHERD_SYMMETRIC_SIZE]
                                    [SHERD_SYMMETRIC_LANES];
void sherd_symmetric_project_lanes(sherd_symmetric_lanes a);
