// The part of a change c of nodal velocities that points resolve: to points by sum w c, for affine
// points with gradients, and back to nodes by sum w m.
#include "models/mpm/kernels/mpm_quad.h"
#include "models/mpm/kernels/mpm_weights.h"

typedef double tile_vectors[SHERD_MPM_TILE_NODES][4];

// Values of a point: sum w c, and for affine points sum w c (x_i - x_p)_k by axis.
typedef struct received {
    quad all, first[3];
} received;

LANE_INLINE received see(const mpm_weights *w, int n, int nodes, bool affine, double h,
                         tile_vectors tile)
{
    received sum = {0};
    for (int z = 0; z < nodes; ++z)
        for (int y = 0; y < nodes; ++y) {
            const double *row = tile[mpm_row(w, n, y, z)];
            quad along = {0}, first = {0};
            for (int k = 0; k < nodes; ++k, row += 4) {
                double wx = w->w[0][k][n];
                along = quad_fma(quad_of(wx), quad_load(row), along);
                if (affine)
                    first = quad_fma(quad_of(wx * (w->from[0][n] + k * h)), quad_load(row), first);
            }
            double wyz = w->w[1][y][n] * w->w[2][z][n];
            sum.all = quad_fma(quad_of(wyz), along, sum.all);
            if (!affine) continue;
            sum.first[0] = quad_fma(quad_of(wyz), first, sum.first[0]);
            sum.first[1] = quad_fma(quad_of(wyz * (w->from[1][n] + y * h)), along, sum.first[1]);
            sum.first[2] = quad_fma(quad_of(wyz * (w->from[2][n] + z * h)), along, sum.first[2]);
        }
    return sum;
}

// `of`: momentum, and by axis its change per length.
LANE_INLINE void give_back(const mpm_weights *w, int n, int nodes, bool affine, double h,
                           const received *of, tile_vectors tile)
{
    for (int z = 0; z < nodes; ++z)
        for (int y = 0; y < nodes; ++y) {
            double *row = tile[mpm_row(w, n, y, z)], wyz = w->w[1][y][n] * w->w[2][z][n];
            quad here = of->all;
            if (affine) {
                here = quad_fma(quad_of(w->from[1][n] + y * h), of->first[1], here);
                here = quad_fma(quad_of(w->from[2][n] + z * h), of->first[2], here);
            }
            for (int k = 0; k < nodes; ++k, row += 4) {
                quad at =
                    affine ? quad_fma(quad_of(w->from[0][n] + k * h), of->first[0], here) : here;
                quad_store(row, quad_fma(quad_of(w->w[0][k][n] * wyz), at, quad_load(row)));
            }
        }
}

LANE_INLINE void resolved(const sherd_mpm_transfer *t, const sherd_mpm_page *page,
                          sherd_mpm_kernel kernel, bool affine)
{
    tile_vectors from __attribute__((aligned(64))), back __attribute__((aligned(64)));
    double density = t->solids[page->body].density, h = t->grid->h,
           inverse_d = (kernel == SHERD_MPM_CUBIC ? 3.0 : 4.0) / (h * h);
    for (int part = 0; part < SHERD_MPM_PARTS; ++part)
        mpm_load_part(page, part, t->grid->unresolved[page->layer[part]].change[0], from[0], 4);
    mpm_clear_tile(page, back[0], 4);
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        mpm_weights w;
        mpm_weigh(t, page, first, kernel, &w);
        for (int n = 0; n < SHERD_MPM_BATCH; ++n) {
            double mass = density * t->points->volume[first + (size_t)n];
            received got = see(&w, n, (int)kernel, affine, h, from);
            got.all *= mass;
            for (int axis = 0; axis < 3; ++axis)
                got.first[axis] *= mass * inverse_d;
            give_back(&w, n, (int)kernel, affine, h, &got, back);
        }
    }
    for (int part = 0; part < SHERD_MPM_PARTS; ++part)
        mpm_add_part(page, part, t->grid->unresolved[page->layer[part]].resolved[0], back[0], 4);
}

void SHERD_KERNEL(sherd_mpm_resolved)(const sherd_mpm_transfer *t, size_t number)
{
    const sherd_mpm_page *page = &t->grid->pages[number];
    bool affine = t->points->c[0] != NULL, cubic = t->grid->kernel == SHERD_MPM_CUBIC;
    if (cubic && affine)
        resolved(t, page, SHERD_MPM_CUBIC, true);
    else if (cubic)
        resolved(t, page, SHERD_MPM_CUBIC, false);
    else if (affine)
        resolved(t, page, SHERD_MPM_QUADRATIC, true);
    else
        resolved(t, page, SHERD_MPM_QUADRATIC, false);
}
