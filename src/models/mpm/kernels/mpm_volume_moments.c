// Points to grid, where bodies share nodes: volume and its first moment about the node, sum w V
// (x_p - x_i), with weights w of cubes, and spin times volume.
#include "models/mpm/kernels/mpm_octet.h"
#include "models/mpm/kernels/mpm_weights.h"

#include <math.h>

typedef double tile_outline[SHERD_MPM_TILE_NODES][8];

// A point represents a cube of its volume with edge a. The mean over the cube along an axis is, up
// to terms of a^4,
//
//   w~ = w + a^2/24 w''   and   (x_p - x_i) w~ + a^2/12 w'   instead of (x_p - x_i) w.
//
// With points alone, two per cell, surfaces would be reconstructed 0.024 h too far inside, and gaps
// would seem larger by that for each body.
LANE_INLINE void widen_axis(lane square, double h, sherd_mpm_kernel kernel, int axis, int n,
                            mpm_weights *w)
{
    lane t = lane_load(w->from[axis] + n) * (-1.0 / h) - 1; // mpm_cubic's t
    lane curve = square * (1.0 / (24.0 * h * h));
    const lane cubic[MPM_REACH] = {1 - t, 3 * t - 2, 1 - 3 * t, t},
               quadratic[MPM_REACH] = {lane_of(1), lane_of(-2), lane_of(1), lane_of(0)};
    for (int k = 0; k < (int)kernel; ++k) {
        lane bend = kernel == SHERD_MPM_CUBIC ? cubic[k] : quadratic[k];
        lane_store(w->w[axis][k] + n, lane_load(w->w[axis][k] + n) + curve * bend);
        lane_store(w->dw[axis][k] + n, lane_load(w->dw[axis][k] + n) * square * (1.0 / 12.0));
    }
}

// Cube root of v >= 0, to 7e-16. Dividing the exponent by three gives an estimate within 5 %, and
// Halley's iteration reduces an error e to 2/3 e^3.
static double cube_root(double v)
{
    uint64_t bits;
    double x;
    memcpy(&bits, &v, sizeof bits);
    bits = bits / 3 + UINT64_C(0x2a9f7893782da1ce);
    memcpy(&x, &bits, sizeof x);
    for (int k = 0; k < 3 && v > 0.0; ++k) {
        double cube = x * x * x;
        x *= (cube + 2.0 * v) / (2.0 * cube + v);
    }
    return v > 0.0 ? x : 0.0;
}

// Turns the weights of a batch into w~ and their slopes into a^2/12 w'; slopes are 0 without cubes.
LANE_INLINE void widen(const double *volume, bool cubes, double h, sherd_mpm_kernel kernel,
                       mpm_weights *w)
{
    double square[SHERD_MPM_BATCH] __attribute__((aligned(64))), last = 0.0, side = 0.0;
    if (!cubes) {
        memset(w->dw, 0, sizeof w->dw);
        return;
    }
    for (int n = 0; n < SHERD_MPM_BATCH; ++n) {
        if (volume[n] != last) last = volume[n], side = cube_root(last); // most volumes are equal
        square[n] = side * side;
    }
    for (int n = 0; n < SHERD_MPM_BATCH; n += SHERD_LANES)
        for (int axis = 0; axis < 3; ++axis)
            widen_axis(lane_load(square + n), h, kernel, axis, n, w);
}

// Points of sand and fluids do not stay on a lattice of cubes.
static bool has_cubes(const sherd_mpm_transfer *t, const sherd_mpm_page *page)
{
    sherd_solid_kind kind = t->solids[t->grid->layers[page->layer[0]].body].kind;
    return kind != SHERD_SOLID_SAND && kind != SHERD_SOLID_FLUID;
}

// V w (1, x_p - x_i) is the product of one vector per axis, component by component; so is V w times
// the point's spin, in the second quad.
LANE_INLINE void add_point(const mpm_weights *w, int n, int nodes, double h, double volume,
                           quad spin, tile_outline tile)
{
    octet along_x[MPM_REACH], along_y[MPM_REACH];
    for (int k = 0; k < nodes; ++k) {
        double x = -(w->from[0][n] + k * h), y = -(w->from[1][n] + k * h);
        quad wx = quad_of(w->w[0][k][n]), wy = quad_of(w->w[1][k][n]);
        along_x[k] = octet_of(wx * (quad){1, x, 1, 1} + (quad){0, w->dw[0][k][n], 0, 0}, wx);
        along_y[k] = octet_of(wy * (quad){1, 1, y, 1} + (quad){0, 0, w->dw[1][k][n], 0}, wy);
    }
    for (int z = 0; z < nodes; ++z) {
        double share = volume * w->w[2][z][n];
        octet along_z = octet_of(share * (quad){1, 1, 1, -(w->from[2][n] + z * h)} +
                                     volume * (quad){0, 0, 0, w->dw[2][z][n]},
                                 share * spin);
        for (int y = 0; y < nodes; ++y) {
            double *row = tile[mpm_row(w, n, y, z)];
            octet here = octet_times(along_z, along_y[y]);
            for (int k = 0; k < nodes; ++k, row += 8)
                octet_store(row, octet_add_product(here, along_x[k], octet_load(row)));
        }
    }
}

// Half the curl of a point's velocity; 0 for sand and fluids, whose surfaces do not rotate.
LANE_INLINE quad spin_of(const sherd_mpm_points *p, size_t at, bool turns)
{
    if (!turns) return (quad){0};
    return (quad){0.5 * (p->c[7][at] - p->c[5][at]), 0.5 * (p->c[2][at] - p->c[6][at]),
                  0.5 * (p->c[3][at] - p->c[1][at]), 0};
}

static bool draws(const sherd_mpm_transfer *t, const sherd_mpm_page *page, int part)
{
    const sherd_mpm_layer *layer = &t->grid->layers[page->layer[part]];
    return layer->moments >= 0 && layer->apart;
}

LANE_INLINE void moments(const sherd_mpm_transfer *t, const sherd_mpm_page *page,
                         sherd_mpm_kernel kernel)
{
    tile_outline tile __attribute__((aligned(64)));
    bool cubes = has_cubes(t, page), turns = cubes && t->points->c[0] != NULL;
    mpm_clear_tile(page, tile[0], 8);
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        mpm_weights w;
        mpm_weigh(t, page, first, kernel, &w);
        widen(t->points->volume + first, cubes, t->grid->h, kernel, &w);
        for (int n = 0; n < SHERD_MPM_BATCH; ++n)
            add_point(&w, n, (int)kernel, t->grid->h, t->points->volume[first + (size_t)n],
                      spin_of(t->points, first + (size_t)n, turns), tile);
    }
    for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
        if (!draws(t, page, part)) continue;
        sherd_mpm_layer *layer = &t->grid->layers[page->layer[part]];
        double *to = t->grid->moments[layer->moments].node[0];
        mpm_part_rows rows = mpm_rows_of_part(page, part);
        MPM_FOR_ROWS(rows, row)
        {
            mpm_add_row(to + 8 * SHERD_MPM_SIDE * row, tile[mpm_part(part) + mpm_part_row(row)],
                        8 * SHERD_MPM_SIDE, layer->moment_rows >> row & 1);
            layer->moment_rows |= (uint16_t)(1u << row);
        }
    }
}

void SHERD_KERNEL(sherd_mpm_moments)(const sherd_mpm_transfer *t, size_t number)
{
    const sherd_mpm_page *page = &t->grid->pages[number];
    bool shares = false;
    for (int part = 0; part < SHERD_MPM_PARTS; ++part)
        shares = shares || draws(t, page, part);
    if (!shares) return;
    if (t->grid->kernel == SHERD_MPM_CUBIC)
        moments(t, page, SHERD_MPM_CUBIC);
    else
        moments(t, page, SHERD_MPM_QUADRATIC);
}
