// Weights of a batch of points: cubic and quadratic B-splines of |u| = |x_i - x_p| / h, and their
// derivatives.
#pragma once

#include "math/lane_log.h"
#include "models/mpm/kernels/mpm_kernels.h"
#include "models/mpm/kernels/mpm_octet.h"

enum { MPM_REACH = 4 }; // of the wider kernel

typedef struct mpm_weights {
    double w[3][MPM_REACH][SHERD_MPM_BATCH] __attribute__((aligned(64)));
    double dw[3][MPM_REACH][SHERD_MPM_BATCH] __attribute__((aligned(64)));  // dw/dx_p [1/m]
    double arm[3][MPM_REACH][SHERD_MPM_BATCH] __attribute__((aligned(64))); // w (x_i - x_p) [m]
    double from[3][SHERD_MPM_BATCH]
        __attribute__((aligned(64))); // x of the first node less the point's [m]
    int32_t place[SHERD_MPM_BATCH];   // of the first node in the tile
} mpm_weights;

// t: from the node before the point [h]. N = |u|^3/2 - u^2 + 2/3 to |u| = 1, (2 - |u|)^3 / 6 to 2.
LANE_INLINE void mpm_cubic(lane t, double inverse_h, lane w[MPM_REACH], lane dw[MPM_REACH])
{
    lane u = 1 - t, t2 = t * t, u2 = u * u;
    const lane middle = lane_of(2.0 / 3.0);
    w[0] = u2 * u * (1.0 / 6.0), w[3] = t2 * t * (1.0 / 6.0);
    w[1] = lane_fma(t2, lane_fma(lane_of(0.5), t, lane_of(-1.0)), middle);
    w[2] = lane_fma(u2, lane_fma(lane_of(0.5), u, lane_of(-1.0)), middle);
    dw[0] = u2 * (-0.5 * inverse_h), dw[3] = t2 * (0.5 * inverse_h);
    dw[1] = t * lane_fma(lane_of(1.5), t, lane_of(-2.0)) * inverse_h;
    dw[2] = u * lane_fma(lane_of(-1.5), u, lane_of(2.0)) * inverse_h;
}

// d: from the nearest node [h]. N = 3/4 - u^2 to |u| = 1/2, (3/2 - |u|)^2 / 2 to 3/2.
LANE_INLINE void mpm_quadratic(lane d, double inverse_h, lane w[MPM_REACH], lane dw[MPM_REACH])
{
    lane low = 0.5 - d, high = 0.5 + d;
    w[0] = 0.5 * low * low, w[1] = lane_fnma(d, d, lane_of(0.75)), w[2] = 0.5 * high * high;
    dw[0] = -low * inverse_h, dw[1] = -2 * d * inverse_h, dw[2] = high * inverse_h;
    w[3] = dw[3] = lane_of(0);
}

LANE_INLINE void mpm_weigh_axis(const sherd_mpm_grid *g, const double *x, double origin, int axis,
                                sherd_mpm_kernel kernel, int k, lane *place, mpm_weights *out)
{
    double inverse_h = 1.0 / g->h;
    lane s = lane_fma(lane_load(x + k), lane_of(inverse_h), lane_of(-origin)), w[MPM_REACH],
         dw[MPM_REACH];
    bool cubic = kernel == SHERD_MPM_CUBIC;
    lane node = lane_round(cubic ? s - 0.5 : s); // where both neighbours serve, either one does
    if (cubic)
        mpm_cubic(s - node, inverse_h, w, dw);
    else
        mpm_quadratic(s - node, inverse_h, w, dw);
    for (int n = 0; n < (int)kernel; ++n) {
        lane_store(out->w[axis][n] + k, w[n]);
        lane_store(out->dw[axis][n] + k, dw[n]);
    }
    *place = node - 1;
    lane_store(out->from[axis] + k, (*place - s) * g->h);
}

// Of the batch that begins at point `first`.
LANE_INLINE void mpm_weigh(const sherd_mpm_transfer *t, const sherd_mpm_page *page, size_t first,
                           sherd_mpm_kernel kernel, mpm_weights *out)
{
    for (int k = 0; k < SHERD_MPM_BATCH; k += SHERD_LANES) {
        lane place[3];
        for (int axis = 0; axis < 3; ++axis)
            mpm_weigh_axis(t->grid, t->points->x[axis] + first,
                           SHERD_MPM_SIDE * (double)page->block[axis] - 1.0, axis, kernel, k,
                           &place[axis], out);
        lane all = (place[2] * SHERD_MPM_TILE + place[1]) * SHERD_MPM_TILE + place[0];
        for (int n = 0; n < SHERD_LANES; ++n)
            out->place[k + n] = (int32_t)lane_get(all, n);
    }
}

// For what is affine.
LANE_INLINE void mpm_weigh_arms(double h, sherd_mpm_kernel kernel, mpm_weights *w)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int n = 0; n < (int)kernel; ++n)
            for (int k = 0; k < SHERD_MPM_BATCH; k += SHERD_LANES)
                lane_store(w->arm[axis][n] + k,
                           lane_load(w->w[axis][n] + k) * (lane_load(w->from[axis] + k) + n * h));
}

// Sets which nodes of the tile the page's points reach: most of the pages of small bodies reach
// few.
LANE_INLINE void mpm_bound(const sherd_mpm_transfer *t, sherd_mpm_page *page,
                           sherd_mpm_kernel kernel)
{
    const sherd_mpm_grid *g = t->grid;
    double inverse_h = 1.0 / g->h, behind = kernel == SHERD_MPM_CUBIC ? 0.5 : 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double *x = t->points->x[axis];
        lane low = lane_load(x + page->begin), high = low;
        for (size_t k = page->begin; k < page->end; k += SHERD_LANES) {
            low = lane_min(low, lane_load(x + k));
            high = lane_max(high, lane_load(x + k));
        }
        lane origin = lane_of(-(SHERD_MPM_SIDE * (double)page->block[axis] - 1.0));
        lane first = lane_round(lane_fma(low, lane_of(inverse_h), origin) - behind) - 1,
             last = lane_round(lane_fma(high, lane_of(inverse_h), origin) - behind) - 1;
        double from = SHERD_MPM_TILE, to = 0.0;
        for (int n = 0; n < SHERD_LANES; ++n) {
            from = lane_get(first, n) < from ? lane_get(first, n) : from;
            to = lane_get(last, n) > to ? lane_get(last, n) : to;
        }
        page->low[axis] = (uint8_t)(from > 0.0 ? from : 0.0);
        page->high[axis] =
            (uint8_t)(to + (int)kernel < SHERD_MPM_TILE ? to + (int)kernel : SHERD_MPM_TILE);
    }
}

// Rows of four nodes along x of a part that points of the page reach.
typedef struct mpm_part_rows {
    int y[2], z[2]; // from the first to beyond the last, within the part
} mpm_part_rows;

LANE_INLINE int mpm_within_part(int node, int part)
{
    int from = part * SHERD_MPM_SIDE;
    return node < from ? 0 : node < from + SHERD_MPM_SIDE ? node - from : SHERD_MPM_SIDE;
}

LANE_INLINE mpm_part_rows mpm_rows_of_part(const sherd_mpm_page *page, int part)
{
    bool beside =
        (part & 1) != 0 ? page->high[0] <= SHERD_MPM_SIDE : page->low[0] >= SHERD_MPM_SIDE;
    mpm_part_rows rows;
    rows.y[0] = mpm_within_part(page->low[1], part >> 1 & 1);
    rows.y[1] = mpm_within_part(page->high[1], part >> 1 & 1);
    rows.z[0] = mpm_within_part(page->low[2], part >> 2);
    rows.z[1] = beside ? rows.z[0] : mpm_within_part(page->high[2], part >> 2);
    return rows;
}

#define MPM_FOR_ROWS(r, row)                                                                       \
    for (int z_ = (r).z[0]; z_ < (r).z[1]; ++z_)                                                   \
        for (int row = z_ * SHERD_MPM_SIDE + (r).y[0]; row < z_ * SHERD_MPM_SIDE + (r).y[1]; ++row)

// Rows of four nodes of a tile that points reach, to 0; `count` numbers a node.
LANE_INLINE void mpm_clear_tile(const sherd_mpm_page *page, double *tile, int count)
{
    for (int half = 0; half < 2; ++half) {
        bool reached = half == 0 ? page->low[0] < SHERD_MPM_SIDE : page->high[0] > SHERD_MPM_SIDE;
        for (int z = page->low[2]; z < page->high[2] && reached; ++z)
            for (int y = page->low[1]; y < page->high[1]; ++y) {
                int node = (z * SHERD_MPM_TILE + y) * SHERD_MPM_TILE + half * SHERD_MPM_SIDE;
                for (int k = 0; k < SHERD_MPM_SIDE * count; k += 4)
                    quad_store(tile + (size_t)node * (size_t)count + k, quad_of(0.0));
            }
    }
}

// Of all lanes, and 0.
LANE_INLINE double mpm_largest(lane v)
{
    double most = 0.0;
    for (int k = 0; k < SHERD_LANES; ++k)
        if (lane_get(v, k) > most) most = lane_get(v, k);
    return most;
}

// First node of row y, z of the point's nodes, in a tile.
LANE_INLINE size_t mpm_row(const mpm_weights *w, int n, int y, int z)
{
    return (size_t)(w->place[n] + (z * SHERD_MPM_TILE + y) * SHERD_MPM_TILE);
}

// Where the block of a part begins in a tile.
LANE_INLINE size_t mpm_part(int part)
{
    int x = (part & 1) * SHERD_MPM_SIDE, y = (part >> 1 & 1) * SHERD_MPM_SIDE,
        z = (part >> 2) * SHERD_MPM_SIDE;
    return (size_t)((z * SHERD_MPM_TILE + y) * SHERD_MPM_TILE + x);
}

// Adds a row of `count` numbers of a tile to a layer's, where that has begun already.
LANE_INLINE void mpm_add_row(double *to, const double *from, int count, bool begun)
{
    for (int k = 0; k < count; k += 8) {
        octet before = begun ? octet_load(to + k) : octet_of_one(0.0);
        octet_store(to + k, octet_plus(before, octet_load(from + k)));
    }
}

LANE_INLINE void mpm_copy_row(double *to, const double *from, int count)
{
    for (int k = 0; k < count; k += 8)
        octet_store(to + k, octet_load(from + k));
}

// First node of row `row` of a block's 16 rows, from the block's first in the tile.
LANE_INLINE size_t mpm_part_row(int row)
{
    return (size_t)((row / SHERD_MPM_SIDE * SHERD_MPM_TILE + row % SHERD_MPM_SIDE) *
                    SHERD_MPM_TILE);
}

// Of one part `count` numbers a node, between a layer and a tile.
LANE_INLINE void mpm_load_part(const sherd_mpm_page *page, int part, const double *layer,
                               double *tile, int count)
{
    mpm_part_rows rows = mpm_rows_of_part(page, part);
    MPM_FOR_ROWS(rows, row)
    mpm_copy_row(tile + (mpm_part(part) + mpm_part_row(row)) * (size_t)count,
                 layer + count * SHERD_MPM_SIDE * row, count * SHERD_MPM_SIDE);
}

LANE_INLINE void mpm_add_part(const sherd_mpm_page *page, int part, double *layer,
                              const double *tile, int count)
{
    mpm_part_rows rows = mpm_rows_of_part(page, part);
    MPM_FOR_ROWS(rows, row)
    mpm_add_row(layer + count * SHERD_MPM_SIDE * row,
                tile + (mpm_part(part) + mpm_part_row(row)) * (size_t)count, count * SHERD_MPM_SIDE,
                true);
}
