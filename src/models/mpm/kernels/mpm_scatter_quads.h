// Affine points to grid where vectors have four doubles. Of a node's two quads (mpm_grid.h) three
// numbers stay out of half of the arithmetic or all of it: mass has no slope, and the eighth is
// always 0. So the tile keeps momentum with one component of impulse, the other two of neighbours
// along x together, and the masses of a row: 3.25 multiply-adds of quads a node in place of 4, with
// the same bits.
#pragma once

#include "models/mpm/kernels/mpm_quad.h"
#include "models/mpm/kernels/mpm_weights.h"

// What the points of a batch bring to the grid.
typedef struct mpm_payload {
    double mass[SHERD_MPM_BATCH], momentum[3][SHERD_MPM_BATCH];
    double impulse[SHERD_MPM_SYMMETRIC][SHERD_MPM_BATCH]; // -dt V0 tau [N s m]
    double spread[SHERD_MPM_TENSOR][SHERD_MPM_BATCH];     // m C, if affine [kg/s]
} __attribute__((aligned(64))) mpm_payload;

typedef struct mpm_quad_loads {
    double main[SHERD_MPM_TILE_NODES][4]; // momentum, impulse along x
    double rest[SHERD_MPM_TILE_NODES][2]; // impulse along y and z
    double mass[SHERD_MPM_TILE_NODES];
    double beyond[4]; // a row of three nodes is added to as if it had four
} mpm_quad_loads;

// Of one point, by nodes along x: what does not change along y and z, and what has slopes there
// (`along` of mpm_scatter.c).
typedef struct mpm_quad_row {
    quad even[MPM_REACH], y[MPM_REACH], z[MPM_REACH];                            // main
    quad even_rest[MPM_REACH / 2], y_rest[MPM_REACH / 2], z_rest[MPM_REACH / 2]; // of two nodes
    quad mass;                                                                   // of four
} mpm_quad_row;

// Coefficients of nodes along an axis: w; w (x_i - x_p) thrice and w'; w'.
typedef struct mpm_quad_axis {
    quad weight[MPM_REACH], main[MPM_REACH], slope[MPM_REACH];
} mpm_quad_axis;

LANE_INLINE mpm_quad_axis mpm_quad_axis_of(const mpm_weights *w, int axis, int n, int nodes)
{
    mpm_quad_axis out;
    for (int k = 0; k < nodes; ++k) {
        out.weight[k] = quad_of(w->w[axis][k][n]), out.slope[k] = quad_of(w->dw[axis][k][n]);
        out.main[k] = quad_three_and_one(&w->arm[axis][k][n], &w->dw[axis][k][n]);
    }
    return out;
}

LANE_INLINE quad mpm_quad_pair(double first, double second)
{
    return (quad){first, second, first, second};
}

// Both numbers of nodes 2k and 2k + 1; 0 beyond the last.
LANE_INLINE quad mpm_quad_of_two(const double row[MPM_REACH][SHERD_MPM_BATCH], int k, int n,
                                 int nodes)
{
    static const double none = 0.0;
    return quad_two_and_two(&row[2 * k][n], 2 * k + 1 < nodes ? &row[2 * k + 1][n] : &none);
}

LANE_INLINE void mpm_quad_rest(const mpm_payload *p, const mpm_weights *w, int n, int nodes,
                               mpm_quad_row *out)
{
    quad x = mpm_quad_pair(p->impulse[5][n], p->impulse[4][n]),
         y = mpm_quad_pair(p->impulse[1][n], p->impulse[3][n]),
         z = mpm_quad_pair(p->impulse[3][n], p->impulse[2][n]);
    for (int k = 0; k < MPM_REACH / 2; ++k) {
        quad weight = mpm_quad_of_two(w->w[0], k, n, nodes);
        out->even_rest[k] = mpm_quad_of_two(w->dw[0], k, n, nodes) * x;
        out->y_rest[k] = weight * y, out->z_rest[k] = weight * z;
    }
    double last = nodes == MPM_REACH ? w->w[0][3][n] : 0.0;
    out->mass = p->mass[n] * (quad){w->w[0][0][n], w->w[0][1][n], w->w[0][2][n], last};
}

LANE_INLINE mpm_quad_row mpm_quad_row_of(const mpm_payload *p, const mpm_weights *w, int n,
                                         int nodes)
{
    quad even = {p->momentum[0][n], p->momentum[1][n], p->momentum[2][n], p->impulse[0][n]},
         x = {p->spread[0][n], p->spread[3][n], p->spread[6][n], 0.0},
         y = {p->spread[1][n], p->spread[4][n], p->spread[7][n], p->impulse[5][n]},
         z = {p->spread[2][n], p->spread[5][n], p->spread[8][n], p->impulse[4][n]};
    mpm_quad_row out;
    for (int k = 0; k < nodes; ++k) {
        quad weight = quad_of(w->w[0][k][n]);
        out.even[k] = quad_three_and_one(&w->w[0][k][n], &w->dw[0][k][n]) * even;
        out.even[k] = quad_fma(quad_of(w->arm[0][k][n]), x, out.even[k]);
        out.y[k] = weight * y, out.z[k] = weight * z;
    }
    mpm_quad_rest(p, w, n, nodes, &out);
    return out;
}

// Adds to node `to` of each row along y of a plane; rows are `stride` numbers from each other.
LANE_INLINE void mpm_quad_add(const quad *weight, const quad *slope, quad even, quad along,
                              int nodes, int stride, double *to)
{
    for (int y = 0; y < nodes; ++y, to += stride)
        quad_store_any(to, quad_fma(weight[y], even, quad_fma(slope[y], along, quad_load_any(to))));
}

LANE_INLINE void mpm_quad_add_plane(const mpm_quad_row *row, const mpm_quad_axis *y, quad weight,
                                    quad slope, quad main, size_t at, int nodes,
                                    mpm_quad_loads *tile)
{
    for (int k = 0; k < nodes; ++k)
        mpm_quad_add(y->weight, y->main, quad_fma(main, row->z[k], weight * row->even[k]),
                     weight * row->y[k], nodes, 4 * SHERD_MPM_TILE, tile->main[at] + 4 * k);
    for (int k = 0; k < MPM_REACH / 2; ++k)
        mpm_quad_add(y->weight, y->slope,
                     quad_fma(slope, row->z_rest[k], weight * row->even_rest[k]),
                     weight * row->y_rest[k], nodes, 2 * SHERD_MPM_TILE, tile->rest[at] + 4 * k);
    quad mass = weight * row->mass;
    double *to = tile->mass + at;
    for (int k = 0; k < nodes; ++k, to += SHERD_MPM_TILE)
        quad_store_any(to, quad_fma(y->weight[k], mass, quad_load_any(to)));
}

LANE_INLINE void mpm_quad_add_point(const mpm_payload *p, const mpm_weights *w, int n, int nodes,
                                    mpm_quad_loads *tile)
{
    mpm_quad_row row = mpm_quad_row_of(p, w, n, nodes);
    mpm_quad_axis y = mpm_quad_axis_of(w, 1, n, nodes);
    for (int z = 0; z < nodes; ++z)
        mpm_quad_add_plane(&row, &y, quad_of(w->w[2][z][n]), quad_of(w->dw[2][z][n]),
                           quad_three_and_one(&w->arm[2][z][n], &w->dw[2][z][n]),
                           mpm_row(w, n, 0, z), nodes, tile);
}

LANE_INLINE void mpm_quad_clear(const sherd_mpm_page *page, mpm_quad_loads *tile)
{
    mpm_clear_tile(page, tile->main[0], 4), mpm_clear_tile(page, tile->rest[0], 2);
    mpm_clear_tile(page, tile->mass, 1);
}

// As mpm_add_row does, from node `at` of the tile on.
LANE_INLINE void mpm_quad_add_row(double *to, const mpm_quad_loads *tile, size_t at, bool begun)
{
    for (size_t k = at; k < at + SHERD_MPM_SIDE; ++k, to += 8) {
        const double *main = tile->main[k], *rest = tile->rest[k];
        quad motion = {tile->mass[k], main[0], main[1], main[2]},
             impulse = {main[3], rest[0], rest[1], 0.0}, none = {0};
        quad_store(to, (begun ? quad_load(to) : none) + motion);
        quad_store(to + 4, (begun ? quad_load(to + 4) : none) + impulse);
    }
}
