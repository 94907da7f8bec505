// Grid to affine points where vectors have four doubles. Of a node only v+ and u = v+ - alpha v are
// of use, six numbers, of which points want twelve along x: w and w' times v+, w and w (x_i - x_p)
// times u. They fill three quads; a tile keeps v+ with one component of u, and the other two twice:
// 3 multiply-adds of quads a node in place of 4, with the same bits.
#pragma once

#include "models/mpm/kernels/mpm_quad.h"
#include "models/mpm/kernels/mpm_weights.h"

// What the points of a batch get from the grid, component by component.
typedef struct mpm_gathered {
    double v[3][SHERD_MPM_BATCH];    // sum w v+ [m/s]
    double flip[3][SHERD_MPM_BATCH]; // sum w (v+ - alpha v)
    double l[3][3][SHERD_MPM_BATCH]; // l[k][i]: dv_i/dx_k [1/s]
    double first[3][3]
                [SHERD_MPM_BATCH]; // first[k][i]: sum w (v+ - alpha v)_i (x_i - x_p)_k [m^2/s]
} __attribute__((aligned(64))) mpm_gathered;

LANE_INLINE void mpm_set(double to[3][SHERD_MPM_BATCH], int n, double x, double y, double z)
{
    to[0][n] = x, to[1][n] = y, to[2][n] = z;
}

LANE_INLINE void mpm_set_quad(double to[3][SHERD_MPM_BATCH], int n, quad v)
{
    mpm_set(to, n, v[0], v[1], v[2]);
}

// Sums over a row, over a plane, over all nodes.
typedef struct mpm_quad_sums {
    quad even;           // w v+, w u_x
    quad x, y, z;        // along each axis, w' v+ and w (x_i - x_p) u_x
    quad rest;           // w u_y, w u_z; w (x_i - x_p) u_y and u_z along x
    quad rest_y, rest_z; // the latter along y and along z, twice
} mpm_quad_sums;

// Coefficients of nodes along an axis: w; w' thrice and w (x_i - x_p); w and w (x_i - x_p), twice
// each.
typedef struct mpm_quad_coefficients {
    quad weight[MPM_REACH], slope[MPM_REACH], rest[MPM_REACH];
} mpm_quad_coefficients;

LANE_INLINE quad mpm_quad_slope(const mpm_weights *w, int axis, int node, int n)
{
    return quad_three_and_one(&w->dw[axis][node][n], &w->arm[axis][node][n]);
}

LANE_INLINE mpm_quad_coefficients mpm_quad_along_x(const mpm_weights *w, int n, int nodes)
{
    mpm_quad_coefficients out;
    for (int k = 0; k < nodes; ++k) {
        out.weight[k] = quad_of(w->w[0][k][n]), out.slope[k] = mpm_quad_slope(w, 0, k, n);
        out.rest[k] = quad_two_and_two(&w->w[0][k][n], &w->arm[0][k][n]);
    }
    return out;
}

LANE_INLINE mpm_quad_sums mpm_quad_sum_row(const mpm_quad_coefficients *x, int nodes,
                                           const double *row)
{
    mpm_quad_sums out = {0};
    for (int k = 0; k < nodes; ++k, row += 8) {
        quad main = quad_load(row);
        out.even = quad_fma(x->weight[k], main, out.even);
        out.x = quad_fma(x->slope[k], main, out.x);
        out.rest = quad_fma(x->rest[k], quad_load(row + 4), out.rest);
    }
    return out;
}

LANE_INLINE mpm_quad_sums mpm_quad_sum_plane(const mpm_quad_coefficients *x, const mpm_weights *w,
                                             int n, int z, int nodes,
                                             double tile[SHERD_MPM_TILE_NODES][8])
{
    mpm_quad_sums out = {0};
    for (int y = 0; y < nodes; ++y) {
        mpm_quad_sums row = mpm_quad_sum_row(x, nodes, tile[mpm_row(w, n, y, z)]);
        quad weight = quad_of(w->w[1][y][n]);
        out.even = quad_fma(weight, row.even, out.even), out.x = quad_fma(weight, row.x, out.x);
        out.rest = quad_fma(weight, row.rest, out.rest);
        out.y = quad_fma(mpm_quad_slope(w, 1, y, n), row.even, out.y);
        out.rest_y = quad_fma(quad_of(w->arm[1][y][n]), row.rest, out.rest_y);
    }
    return out;
}

LANE_INLINE mpm_quad_sums mpm_quad_sum(const mpm_weights *w, int n, int nodes,
                                       double tile[SHERD_MPM_TILE_NODES][8])
{
    mpm_quad_coefficients x = mpm_quad_along_x(w, n, nodes);
    mpm_quad_sums out = {0};
    for (int z = 0; z < nodes; ++z) {
        mpm_quad_sums plane = mpm_quad_sum_plane(&x, w, n, z, nodes, tile);
        quad weight = quad_of(w->w[2][z][n]);
        out.even = quad_fma(weight, plane.even, out.even), out.x = quad_fma(weight, plane.x, out.x);
        out.y = quad_fma(weight, plane.y, out.y), out.rest = quad_fma(weight, plane.rest, out.rest);
        out.rest_y = quad_fma(weight, plane.rest_y, out.rest_y);
        out.z = quad_fma(mpm_quad_slope(w, 2, z, n), plane.even, out.z);
        out.rest_z = quad_fma(quad_of(w->arm[2][z][n]), plane.rest, out.rest_z);
    }
    return out;
}

LANE_INLINE void mpm_quad_gather_point(const mpm_weights *w, int n, int nodes,
                                       double tile[SHERD_MPM_TILE_NODES][8], mpm_gathered *out)
{
    mpm_quad_sums s = mpm_quad_sum(w, n, nodes, tile);
    mpm_set_quad(out->v, n, s.even), mpm_set(out->flip, n, s.even[3], s.rest[0], s.rest[1]);
    mpm_set_quad(out->l[0], n, s.x), mpm_set_quad(out->l[1], n, s.y);
    mpm_set_quad(out->l[2], n, s.z);
    mpm_set(out->first[0], n, s.x[3], s.rest[2], s.rest[3]);
    mpm_set(out->first[1], n, s.y[3], s.rest_y[0], s.rest_y[1]);
    mpm_set(out->first[2], n, s.z[3], s.rest_z[0], s.rest_z[1]);
}

// A row of a layer's motion to a tile's.
LANE_INLINE void mpm_quad_copy_row(double *to, const double *from)
{
    for (int k = 0; k < SHERD_MPM_SIDE; ++k, to += 8, from += 8) {
        quad after = quad_load(from), change = quad_load(from + 4);
        quad_store(to, __builtin_shufflevector(after, change, 0, 1, 2, 4));
        quad_store(to + 4, __builtin_shufflevector(change, change, 1, 2, 1, 2));
    }
}

LANE_INLINE void mpm_quad_load_part(const sherd_mpm_page *page, int part, const double *layer,
                                    double tile[SHERD_MPM_TILE_NODES][8])
{
    mpm_part_rows rows = mpm_rows_of_part(page, part);
    MPM_FOR_ROWS(rows, row)
    mpm_quad_copy_row(tile[mpm_part(part) + mpm_part_row(row)], layer + 8 * SHERD_MPM_SIDE * row);
}
