// Density correction of fluids (fluid/mpm_fluid_density.h).
#include "models/mpm/kernels/mpm_quad.h"
#include "models/mpm/kernels/mpm_weights.h"

// Relaxation time, in times that a wave of the fluid takes through a cell. Ten times shorter, the
// pressure oscillates; four times longer, levels sink first.
static const double RELAXING = 200.0;
// Nodes that are full to within this fraction are inside the fluid: J may also rise there, up to 1.
static const double INSIDE = 0.03;

typedef double tile_fractions[SHERD_MPM_TILE_NODES][4];

LANE_INLINE quad fractions_at(const mpm_weights *w, int n, int nodes, tile_fractions tile)
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

LANE_INLINE lane energy_of(const sherd_solid *s, lane log_j)
{
    lane j = lane_exp(log_j), power = lane_exp(-s->exponent * log_j);
    return s->lambda / s->exponent * ((power * j - 1) / (s->exponent - 1) + j - 1);
}

LANE_INLINE void correct(const sherd_mpm_transfer *t, sherd_mpm_page *page, sherd_mpm_kernel kernel)
{
    tile_fractions tile __attribute__((aligned(64)));
    const sherd_solid *s = &t->solids[page->body];
    const sherd_mpm_points *p = t->points;
    double times = t->dt * sqrt(s->lambda / s->density) / (RELAXING * t->grid->h);
    double share = 1.0 - lane_get(lane_exp(lane_of(-times)), 0);
    lane sum = lane_of(0);
    for (int part = 0; part < SHERD_MPM_PARTS; ++part)
        mpm_load_part(page, part, t->grid->fractions[page->layer[part]].node[0], tile[0], 4);
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        mpm_weights w;
        double full[SHERD_MPM_BATCH] __attribute__((aligned(64)));
        mpm_weigh(t, page, first, kernel, &w);
        for (int n = 0; n < SHERD_MPM_BATCH; ++n) {
            quad fractions = fractions_at(&w, n, (int)kernel, tile);
            double room = fractions[1] > 0.5 * fractions[0] ? fractions[1] : 0.5 * fractions[0];
            full[n] = fractions[0] > 0.0 ? room / fractions[0] : 1e9;
        }
        for (int k = 0; k < SHERD_MPM_BATCH; k += SHERD_LANES) {
            size_t at = first + (size_t)k;
            lane even = lane_load(p->b[0] + at), log_j = 1.5 * lane_log(even),
                 wanted = lane_log(lane_load(full + k)),
                 excess = lane_min(wanted, lane_of(0)) - log_j;
            excess = lane_select(lane_greater(lane_of(INSIDE), wanted), excess,
                                 lane_min(excess, lane_of(0)));
            lane changed = lane_fma(lane_of(share), excess, log_j);
            sum += lane_load(p->volume + at) * (energy_of(s, changed) - energy_of(s, log_j));
            even = lane_exp(changed * (2.0 / 3.0));
            for (int i = 0; i < 3; ++i)
                lane_store(p->b[i] + at, even);
        }
    }
    page->given = 0.0;
    for (int n = 0; n < SHERD_LANES; ++n)
        page->given += lane_get(sum, n);
}

void SHERD_KERNEL(sherd_mpm_density)(const sherd_mpm_transfer *t, size_t number)
{
    sherd_mpm_page *page = &t->grid->pages[number];
    page->given = 0.0;
    if (t->solids[page->body].kind != SHERD_SOLID_FLUID) return;
    if (t->grid->kernel == SHERD_MPM_CUBIC)
        correct(t, page, SHERD_MPM_CUBIC);
    else
        correct(t, page, SHERD_MPM_QUADRATIC);
}
