// Damage of points whose law is a phase field (damage/mpm_phase_field.h).
#include "laws/solid/solid_lanes.h"
#include "models/mpm/kernels/mpm_octet.h"
#include "models/mpm/kernels/mpm_weights.h"

enum { SUMS = 4 };

// A row of a tile may be read as if it had four nodes.
typedef struct tile_scalars {
    double node[SHERD_MPM_TILE_NODES + SHERD_MPM_SIDE];
} tile_scalars;

// ---------------------------------------------------------------- drive

LANE_INLINE lane_symmetric load_strain(const sherd_mpm_points *p, size_t at)
{
    lane_symmetric b;
    for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n)
        b.a[n] = lane_load(p->b[n] + at);
    return b;
}

// The largest principal Cauchy stress of the undamaged solid, where it may be above `before`; a bound of it elsewhere: of
// any deviator the largest eigenvalue is at most sqrt(2/3) of its norm.
LANE_INLINE lane largest_stress(const sherd_solid *s, const lane_symmetric *b,
                                const solid_split *split, lane before)
{
    lane mean = split->trace * (1.0 / 3.0), squares = lane_of(0), inverse_j;
    for (int k = 0; k < 3; ++k)
        squares = lane_fma(b->a[k] - mean, b->a[k] - mean,
                           lane_fma(2 * b->a[k + 3], b->a[k + 3], squares));
    inverse_j = 1 / lane_sqrt(split->square);
    lane even = 0.5 * solid_bulk(s) * (split->square - 1), scale = s->mu * split->even;
    lane bound = inverse_j * lane_fma(scale, lane_sqrt((2.0 / 3.0) * squares), even);
    if (!lane_any_greater(bound, before)) return bound;
    lane_eigen e = lane_eigen_of(b);
    lane most = lane_max(e.value[0], lane_max(e.value[1], e.value[2]));
    return inverse_j * lane_fma(scale, most - mean, even);
}

// F = 1 + the driving force: by stress, the largest principal stress over the threshold, at least 1; by energy,
// 1 + 4 l0 (1 - r) psi+ / G.
LANE_INLINE lane drive_of(const sherd_solid *s, const lane_symmetric *b, const solid_split *split,
                          lane before)
{
    if (s->fracture_energy > 0.0)
        return lane_fma(lane_of(4.0 * s->length * (1.0 - s->residual) / s->fracture_energy),
                        solid_tensile_energy(split), lane_of(1));
    return largest_stress(s, b, split, s->threshold * before) * (1.0 / s->threshold);
}

double SHERD_KERNEL(sherd_mpm_phase_drive)(const sherd_mpm_transfer *t, size_t number)
{
    const sherd_mpm_page *page = &t->grid->pages[number];
    const sherd_solid *s = &t->solids[page->body];
    sherd_mpm_points *p = t->points;
    lane_mask grows = lane_greater(lane_of(0), lane_of(0));
    for (size_t at = page->begin; at < page->end; at += SHERD_LANES) {
        lane_symmetric b = load_strain(p, at);
        solid_split split = solid_split_of(s, &b);
        lane before = lane_load(p->drive + at), drive = drive_of(s, &b, &split, before);
        lane tensile = solid_tensile_energy(&split);
        lane_mask more = lane_greater(drive, before);
        grows = grows | more;
        lane_store(p->drive + at, lane_select(more, drive, before));
        lane_store(p->released + at, 0.5 * (lane_load(p->tensile + at) + tensile));
        lane_store(p->tensile + at, tensile);
    }
    return lane_any(grows) ? 1.0 : 0.0;
}

// ---------------------------------------------------------------- points

// Sets c where it falls to `next`, and adds the energy that is released.
LANE_INLINE lane fall(const sherd_solid *s, const sherd_mpm_points *p, size_t at, lane next)
{
    lane c = lane_load(p->state + at), after = lane_min(c, lane_max(next, lane_of(0)));
    lane share = solid_degradation(s, c) - solid_degradation(s, after);
    lane_store(p->state + at, after);
    return share * lane_load(p->released + at) * lane_load(p->volume + at);
}

static double sum_of(const double part[SHERD_MPM_BATCH])
{
    double sum = 0.0;
    for (int n = 0; n < SHERD_MPM_BATCH; ++n)
        sum += part[n];
    return sum;
}

double SHERD_KERNEL(sherd_mpm_phase_local)(const sherd_mpm_transfer *t, size_t number)
{
    const sherd_mpm_page *page = &t->grid->pages[number];
    const sherd_solid *s = &t->solids[page->body];
    const sherd_mpm_points *p = t->points;
    double rate = s->relaxation / t->dt;
    double part[SHERD_MPM_BATCH] __attribute__((aligned(64))), sum = 0.0;
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        for (int k = 0; k < SHERD_MPM_BATCH; k += SHERD_LANES) {
            size_t at = first + (size_t)k;
            lane c = lane_load(p->state + at),
                 next = lane_fma(lane_of(rate), c, lane_of(1)) / (lane_load(p->drive + at) + rate);
            lane_store(part + k, fall(s, p, at, next));
        }
        sum += sum_of(part);
    }
    return sum;
}

// ---------------------------------------------------------------- grid

// Sums of w V (1, c, F + eta/dt), and 0.
LANE_INLINE void add_sums(const mpm_weights *w, int n, int nodes, quad sums,
                          double tile[SHERD_MPM_TILE_NODES][SUMS])
{
    for (int z = 0; z < nodes; ++z)
        for (int y = 0; y < nodes; ++y) {
            double *row = tile[mpm_row(w, n, y, z)];
            double share = w->w[1][y][n] * w->w[2][z][n];
            for (int k = 0; k < nodes; ++k, row += SUMS)
                quad_store(row, quad_fma(quad_of(share * w->w[0][k][n]), sums, quad_load(row)));
        }
}

LANE_INLINE void scatter(const sherd_mpm_transfer *t, sherd_mpm_page *page, sherd_mpm_kernel kernel)
{
    double tile[SHERD_MPM_TILE_NODES][SUMS] __attribute__((aligned(64)));
    const sherd_mpm_points *p = t->points;
    const sherd_solid *s = &t->solids[page->body];
    double rate = s->relaxation / t->dt;
    mpm_bound(t, page, kernel);
    mpm_clear_tile(page, tile[0], SUMS);
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        mpm_weights w;
        mpm_weigh(t, page, first, kernel, &w);
        for (int n = 0; n < SHERD_MPM_BATCH; ++n) {
            size_t at = first + (size_t)n;
            double v = p->volume[at];
            add_sums(&w, n, (int)kernel,
                     (quad){v, v * p->state[at], v * (p->drive[at] + rate), 0.0}, tile);
        }
    }
    for (int part = 0; part < SHERD_MPM_PARTS; ++part)
        mpm_add_part(page, part, t->grid->phase[page->layer[part]].sum[0], tile[0], SUMS);
}

void SHERD_KERNEL(sherd_mpm_phase_scatter)(const sherd_mpm_transfer *t, size_t number)
{
    sherd_mpm_page *page = &t->grid->pages[number];
    if (t->grid->kernel == SHERD_MPM_CUBIC)
        scatter(t, page, SHERD_MPM_CUBIC);
    else
        scatter(t, page, SHERD_MPM_QUADRATIC);
}

LANE_INLINE void load_scalars(const sherd_mpm_transfer *t, const sherd_mpm_page *page, int of,
                              tile_scalars *tile)
{
    memset(tile, 0, sizeof *tile);
    for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
        const double *from = t->grid->phase[page->layer[part]].vector[of];
        mpm_part_rows rows = mpm_rows_of_part(page, part);
        MPM_FOR_ROWS(rows, row)
        quad_store_any(tile->node + mpm_part(part) + mpm_part_row(row),
                       quad_load_any(from + SHERD_MPM_SIDE * row));
    }
}

LANE_INLINE void add_scalars(const sherd_mpm_transfer *t, const sherd_mpm_page *page, int of,
                             const tile_scalars *tile)
{
    for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
        double *to = t->grid->phase[page->layer[part]].vector[of];
        mpm_part_rows rows = mpm_rows_of_part(page, part);
        MPM_FOR_ROWS(rows, row)
        {
            double *at = to + SHERD_MPM_SIDE * row;
            quad_store_any(at, quad_load_any(at) +
                                   quad_load_any(tile->node + mpm_part(part) + mpm_part_row(row)));
        }
    }
}

// Weights or slopes of a row of four nodes; the fourth is 0 with the quadratic kernel.
LANE_INLINE quad row_of(const double w[MPM_REACH][SHERD_MPM_BATCH], int n, int nodes)
{
    return (quad){w[0][n], w[1][n], w[2][n], nodes == MPM_REACH ? w[3][n] : 0.0};
}

LANE_INLINE double total(quad v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

// of += scale grad w . grad from. The gradient at a point is taken first along x, and given back in reverse.
LANE_INLINE void spread_point(const mpm_weights *w, int n, int nodes, double scale,
                              const tile_scalars *from, tile_scalars *to)
{
    quad wx = row_of(w->w[0], n, nodes), dx = row_of(w->dw[0], n, nodes), x = {0}, y = {0}, z = {0};
    for (int k = 0; k < nodes; ++k)
        for (int j = 0; j < nodes; ++j) {
            quad row = quad_load_any(from->node + mpm_row(w, n, j, k));
            double wy = w->w[1][j][n], wz = w->w[2][k][n];
            x = quad_fma(quad_of(wy * wz), row, x);
            y = quad_fma(quad_of(w->dw[1][j][n] * wz), row, y);
            z = quad_fma(quad_of(wy * w->dw[2][k][n]), row, z);
        }
    quad gx = (scale * total(dx * x)) * dx, gy = (scale * total(wx * y)) * wx,
         gz = (scale * total(wx * z)) * wx;
    for (int k = 0; k < nodes; ++k)
        for (int j = 0; j < nodes; ++j) {
            double *row = to->node + mpm_row(w, n, j, k), wy = w->w[1][j][n], wz = w->w[2][k][n];
            quad sum = quad_fma(quad_of(wy * wz), gx, quad_load_any(row));
            sum = quad_fma(quad_of(w->dw[1][j][n] * wz), gy, sum);
            quad_store_any(row, quad_fma(quad_of(wy * w->dw[2][k][n]), gz, sum));
        }
}

LANE_INLINE void spread(const sherd_mpm_transfer *t, const sherd_mpm_page *page,
                        sherd_mpm_kernel kernel)
{
    tile_scalars from, to;
    const double length = 2.0 * t->solids[page->body].length;
    load_scalars(t, page, SHERD_MPM_PHASE_WAY, &from);
    memset(&to, 0, sizeof to);
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        mpm_weights w;
        mpm_weigh(t, page, first, kernel, &w);
        for (int n = 0; n < SHERD_MPM_BATCH; ++n)
            spread_point(&w, n, (int)kernel, length * length * t->points->volume[first + (size_t)n],
                         &from, &to);
    }
    add_scalars(t, page, SHERD_MPM_PHASE_PRODUCT, &to);
}

void SHERD_KERNEL(sherd_mpm_phase_spread)(const sherd_mpm_transfer *t, size_t number)
{
    const sherd_mpm_page *page = &t->grid->pages[number];
    if (t->grid->kernel == SHERD_MPM_CUBIC)
        spread(t, page, SHERD_MPM_CUBIC);
    else
        spread(t, page, SHERD_MPM_QUADRATIC);
}

LANE_INLINE double interpolate(const mpm_weights *w, int n, int nodes, const tile_scalars *from)
{
    quad sum = {0};
    for (int z = 0; z < nodes; ++z)
        for (int y = 0; y < nodes; ++y)
            sum = quad_fma(quad_of(w->w[1][y][n] * w->w[2][z][n]),
                           quad_load_any(from->node + mpm_row(w, n, y, z)), sum);
    return total(row_of(w->w[0], n, nodes) * sum);
}

// Points take the field, or with a relaxation time its change, which does not smooth them.
LANE_INLINE double gather(const sherd_mpm_transfer *t, const sherd_mpm_page *page,
                          sherd_mpm_kernel kernel)
{
    tile_scalars field;
    const sherd_solid *s = &t->solids[page->body];
    double next[SHERD_MPM_BATCH] __attribute__((aligned(64))), sum = 0.0;
    double part[SHERD_MPM_BATCH] __attribute__((aligned(64)));
    bool changes = s->relaxation > 0.0;
    load_scalars(t, page, changes ? SHERD_MPM_PHASE_CHANGE : SHERD_MPM_PHASE_C, &field);
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        mpm_weights w;
        mpm_weigh(t, page, first, kernel, &w);
        for (int n = 0; n < SHERD_MPM_BATCH; ++n)
            next[n] = (changes ? t->points->state[first + (size_t)n] : 0.0) +
                      interpolate(&w, n, (int)kernel, &field);
        for (int k = 0; k < SHERD_MPM_BATCH; k += SHERD_LANES)
            lane_store(part + k, fall(s, t->points, first + (size_t)k, lane_load(next + k)));
        sum += sum_of(part);
    }
    return sum;
}

double SHERD_KERNEL(sherd_mpm_phase_gather)(const sherd_mpm_transfer *t, size_t number)
{
    const sherd_mpm_page *page = &t->grid->pages[number];
    return t->grid->kernel == SHERD_MPM_CUBIC ? gather(t, page, SHERD_MPM_CUBIC)
                                              : gather(t, page, SHERD_MPM_QUADRATIC);
}
