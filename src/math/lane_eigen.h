// Eigenvalues and eigenvectors of symmetric 3 x 3 matrices on lanes, by cyclic Jacobi rotations.
#pragma once

#include "math/lane.h"

// xx, yy, zz, yz, xz, xy
typedef struct lane_symmetric {
    lane a[6];
} lane_symmetric;

typedef struct lane_eigen {
    lane value[3];
    lane axis[3][3]; // axis[i][k]: component i of the k-th unit eigenvector
} lane_eigen;

enum { LANE_EIGEN_SWEEPS = 8 }; // quadratic convergence: 4 suffice for typical b

// Rotates in the plane (p, q) so that the entry pq becomes 0. An entry below rounding of the matrix
// is left unchanged: lanes that have converged stay unchanged while others continue. In a, o is the
// index of pq, u and w are those of the entries of p and q with the third direction.
LANE_INLINE void lane_eigen_rotate(lane a[6], lane axis[3][3], lane tiny, int p, int q, int o,
                                   int u, int w)
{
    lane_mask turns = lane_greater(lane_abs(a[o]), tiny);
    lane d = a[q] - a[p], twice = 2 * a[o];
    lane root = lane_sqrt(lane_fma(d, d, twice * twice));
    lane t = lane_keep(turns, twice / (d + lane_flip_sign(root, d)));
    lane c = 1 / lane_sqrt(lane_fma(t, t, lane_of(1))), s = t * c;
    a[p] = lane_fnma(t, a[o], a[p]), a[q] = lane_fma(t, a[o], a[q]);
    a[o] = lane_select(turns, lane_of(0), a[o]);
    lane pr = a[u], qr = a[w];
    a[u] = lane_fnma(s, qr, c * pr), a[w] = lane_fma(s, pr, c * qr);
    for (int i = 0; i < 3; ++i) {
        lane x = axis[i][p], y = axis[i][q];
        axis[i][p] = lane_fnma(s, y, c * x), axis[i][q] = lane_fma(s, x, c * y);
    }
}

// Unsorted; axes are a proper rotation. Accurate to a few roundings of the largest entry.
LANE_INLINE lane_eigen lane_eigen_of(const lane_symmetric *m)
{
    lane_eigen e;
    lane a[6];
    for (int k = 0; k < 6; ++k)
        a[k] = m->a[k];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            e.axis[i][k] = lane_of(i == k);
    lane tiny = (lane_abs(a[0]) + lane_abs(a[1]) + lane_abs(a[2])) * 0x1p-56;
    for (int sweep = 0; sweep < LANE_EIGEN_SWEEPS; ++sweep) {
        lane most = lane_max(lane_abs(a[3]), lane_max(lane_abs(a[4]), lane_abs(a[5])));
        if (!lane_any_greater(most, tiny)) break;
        lane_eigen_rotate(a, e.axis, tiny, 0, 1, 5, 4, 3);
        lane_eigen_rotate(a, e.axis, tiny, 0, 2, 4, 5, 3);
        lane_eigen_rotate(a, e.axis, tiny, 1, 2, 3, 5, 4);
    }
    for (int k = 0; k < 3; ++k)
        e.value[k] = a[k];
    return e;
}

// sum_k value_k axis_k axis_k^T
LANE_INLINE lane_symmetric lane_eigen_compose(const lane_eigen *e, const lane value[3])
{
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    lane_symmetric m;
    for (int n = 0; n < 6; ++n) {
        m.a[n] = lane_of(0);
        for (int k = 0; k < 3; ++k)
            m.a[n] = lane_fma(value[k] * e->axis[row[n]][k], e->axis[column[n]][k], m.a[n]);
    }
    return m;
}
