// Points to grid, at nodes near glue: sum w V and sum w V sigma, with V = J V0 and V sigma = V0
// tau.
#include "laws/solid/solid_lanes.h"
#include "models/mpm/kernels/mpm_octet.h"
#include "models/mpm/kernels/mpm_weights.h"

typedef double tile_stress[SHERD_MPM_TILE_NODES][8];

typedef struct payload {
    double volume[SHERD_MPM_BATCH], stress[SHERD_MPM_SYMMETRIC][SHERD_MPM_BATCH];
} __attribute__((aligned(64))) payload;

typedef void law_function(const sherd_mpm_points *p, const sherd_solid *s, size_t first,
                          payload *out);

// J of the elastic strain. It is the total one if plastic flow preserves volume.
#define LAW_FUNCTION(NAME, name, doc)                                                              \
    static void apply_##name(const sherd_mpm_points *p, const sherd_solid *s, size_t first,        \
                             payload *out)                                                         \
    {                                                                                              \
        for (int k = 0; k < SHERD_MPM_BATCH; k += SHERD_LANES) {                                   \
            size_t at = first + (size_t)k;                                                         \
            lane_symmetric b;                                                                      \
            for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n)                                          \
                b.a[n] = lane_load(p->b[n] + at);                                                  \
            lane state = lane_load(p->state + at), volume = lane_load(p->volume + at);             \
            lane j = lane_sqrt(solid_determinant(&b));                                             \
            solid_response response;                                                               \
            solid_##name(s, &b, &state, &response);                                                \
            lane_store(out->volume + k, volume * j);                                               \
            for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n)                                          \
                lane_store(out->stress[n] + k, volume * response.tau.a[n]);                        \
        }                                                                                          \
    }
SHERD_SOLID_LAWS(LAW_FUNCTION)

#define LAW_ENTRY(NAME, name, doc) [SHERD_SOLID_##NAME] = apply_##name,
static law_function *const LAWS[SHERD_SOLID_LAW_COUNT] = {SHERD_SOLID_LAWS(LAW_ENTRY)};

LANE_INLINE void add_point(const mpm_weights *w, int n, int nodes, const payload *p,
                           tile_stress tile)
{
    octet all = octet_of((quad){p->volume[n], p->stress[0][n], p->stress[1][n], p->stress[2][n]},
                         (quad){p->stress[3][n], p->stress[4][n], p->stress[5][n], 0});
    for (int z = 0; z < nodes; ++z)
        for (int y = 0; y < nodes; ++y) {
            double *row = tile[mpm_row(w, n, y, z)];
            double share = w->w[1][y][n] * w->w[2][z][n];
            for (int k = 0; k < nodes; ++k, row += 8)
                octet_store(row, octet_fma(share * w->w[0][k][n], all, octet_load(row)));
        }
}

LANE_INLINE void stress(const sherd_mpm_transfer *t, const sherd_mpm_page *page,
                        sherd_mpm_kernel kernel)
{
    const sherd_solid *s = &t->solids[page->body];
    tile_stress tile __attribute__((aligned(64)));
    mpm_clear_tile(page, tile[0], 8);
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        mpm_weights w;
        payload p;
        mpm_weigh(t, page, first, kernel, &w);
        LAWS[s->kind](t->points, s, first, &p);
        for (int n = 0; n < SHERD_MPM_BATCH; ++n)
            add_point(&w, n, (int)kernel, &p, tile);
    }
    for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
        int32_t at = t->grid->layers[page->layer[part]].stress;
        if (at >= 0) mpm_add_part(page, part, t->grid->stresses[at].node[0], tile[0], 8);
    }
}

void SHERD_KERNEL(sherd_mpm_stress)(const sherd_mpm_transfer *t, size_t number)
{
    const sherd_mpm_page *page = &t->grid->pages[number];
    bool asked = false;
    for (int part = 0; part < SHERD_MPM_PARTS; ++part)
        asked = asked || t->grid->layers[page->layer[part]].stress >= 0;
    if (!asked) return;
    if (t->grid->kernel == SHERD_MPM_CUBIC)
        stress(t, page, SHERD_MPM_CUBIC);
    else
        stress(t, page, SHERD_MPM_QUADRATIC);
}
