// Of the nodes' changes what points carry: to points, sum w c, and back, sum w m of it.
#include "models/mpm/kernels/mpm_quad.h"
#include "models/mpm/kernels/mpm_weights.h"

typedef double tile_vectors[SHERD_MPM_TILE_NODES][4];

static void load_changes(const sherd_mpm_transfer *t, const sherd_mpm_page *page, tile_vectors tile)
{
    for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
        const double *from = t->grid->unseen[page->layer[part]].change[0];
        mpm_part_rows rows = mpm_rows_of_part(page, part);
        MPM_FOR_ROWS(rows, row)
        mpm_copy_row(tile[mpm_part(part) + mpm_part_row(row)], from + 4 * SHERD_MPM_SIDE * row,
                     4 * SHERD_MPM_SIDE);
    }
}

LANE_INLINE quad see(const mpm_weights *w, int n, int nodes, tile_vectors tile)
{
    quad sum = {0};
    for (int z = 0; z < nodes; ++z)
        for (int y = 0; y < nodes; ++y) {
            const double *row = tile[mpm_row(w, n, y, z)];
            quad along = {0};
            for (int k = 0; k < nodes; ++k, row += 4)
                along = quad_fma(quad_of(w->w[0][k][n]), quad_load(row), along);
            sum = quad_fma(quad_of(w->w[1][y][n] * w->w[2][z][n]), along, sum);
        }
    return sum;
}

LANE_INLINE void give_back(const mpm_weights *w, int n, int nodes, quad momentum, tile_vectors tile)
{
    for (int z = 0; z < nodes; ++z)
        for (int y = 0; y < nodes; ++y) {
            double *row = tile[mpm_row(w, n, y, z)];
            quad here = momentum * (w->w[1][y][n] * w->w[2][z][n]);
            for (int k = 0; k < nodes; ++k, row += 4)
                quad_store(row, quad_fma(quad_of(w->w[0][k][n]), here, quad_load(row)));
        }
}

LANE_INLINE void seen(const sherd_mpm_transfer *t, const sherd_mpm_page *page,
                      sherd_mpm_kernel kernel)
{
    tile_vectors from __attribute__((aligned(64))), back __attribute__((aligned(64)));
    double density = t->solids[page->body].density;
    load_changes(t, page, from);
    mpm_clear_tile(page, back[0], 4);
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        mpm_weights w;
        mpm_weigh(t, page, first, kernel, &w);
        for (int n = 0; n < SHERD_MPM_BATCH; ++n) {
            double mass = density * t->points->volume[first + (size_t)n];
            give_back(&w, n, (int)kernel, mass * see(&w, n, (int)kernel, from), back);
        }
    }
    for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
        double *to = t->grid->unseen[page->layer[part]].seen[0];
        mpm_part_rows rows = mpm_rows_of_part(page, part);
        MPM_FOR_ROWS(rows, row)
        mpm_add_row(to + 4 * SHERD_MPM_SIDE * row, back[mpm_part(part) + mpm_part_row(row)],
                    4 * SHERD_MPM_SIDE, true);
    }
}

void SHERD_KERNEL(sherd_mpm_seen)(const sherd_mpm_transfer *t, size_t number)
{
    const sherd_mpm_page *page = &t->grid->pages[number];
    if (t->grid->kernel == SHERD_MPM_CUBIC)
        seen(t, page, SHERD_MPM_CUBIC);
    else
        seen(t, page, SHERD_MPM_QUADRATIC);
}
