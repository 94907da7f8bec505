// Points to grid: m_i = sum w m, (m v)_i = sum w m (v + C (x_i - x_p)), and separately the impulse
// of stress, -dt sum V0 tau grad w.
#include "laws/solid/solid_lanes.h"
#include "models/mpm/kernels/mpm_octet.h"
#include "models/mpm/kernels/mpm_scatter_quads.h"
#include "models/mpm/kernels/mpm_weights.h"

// Whether to use vectors of eight, which take both quads of a node at once; otherwise quads need
// fewer operations (mpm_scatter_quads.h).
#if defined(__AVX512F__)
static const bool OCTETS = true;
#else
static const bool OCTETS = false;
#endif

typedef double octet_loads[SHERD_MPM_TILE_NODES][2][4];

typedef union tile_loads {
    octet_loads octets;
    mpm_quad_loads quads;
} __attribute__((aligned(64))) tile_loads;

// ---------------------------------------------------------------- laws

typedef void law_function(const sherd_mpm_transfer *t, const sherd_solid *s, size_t first,
                          double out[][SHERD_MPM_BATCH], double *energy, double *dissipated,
                          lane *speed);

LANE_INLINE lane_symmetric load_strain(const sherd_mpm_points *p, size_t at)
{
    lane_symmetric b;
    for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n)
        b.a[n] = lane_load(p->b[n] + at);
    return b;
}

// Wave speed plus speed, c + |v|; infinite for points that are inverted or not finite, whose
// stiffness is NaN or 0.
LANE_INLINE lane speed_of(const sherd_mpm_points *p, const sherd_solid *s, size_t at,
                          const solid_response *out)
{
    lane squares = lane_of(0);
    for (int axis = 0; axis < 3; ++axis) {
        lane v = lane_load(p->v[axis] + at);
        squares = lane_fma(v, v, squares);
    }
    lane speed = lane_sqrt(out->stiffness * (1.0 / s->density)) + lane_sqrt(squares);
    return lane_select(lane_greater(lane_of(HUGE_VAL), speed), speed, lane_of(HUGE_VAL));
}

// With `impulse`: sets it to -dt V0 tau and stores the strain that the law returns. With `energy`:
// sets V0 psi. Sets `dissipated`, the plastic dissipation [J], in both cases.
#define LAW_FUNCTION(NAME, name, doc)                                                              \
    static void apply_##name(const sherd_mpm_transfer *t, const sherd_solid *s, size_t first,      \
                             double impulse[][SHERD_MPM_BATCH], double *energy,                    \
                             double *dissipated, lane *speed)                                      \
    {                                                                                              \
        const sherd_mpm_points *p = t->points;                                                     \
        for (int k = 0; k < SHERD_MPM_BATCH; k += SHERD_LANES) {                                   \
            size_t at = first + (size_t)k;                                                         \
            lane_symmetric b = load_strain(p, at);                                                 \
            lane state = lane_load(p->state + at), volume = lane_load(p->volume + at);             \
            solid_response out;                                                                    \
            solid_##name(s, &b, &state, &out);                                                     \
            if (energy != NULL) lane_store(energy + k, volume * out.energy);                       \
            lane_store(dissipated + k, volume * out.dissipated);                                   \
            if (impulse == NULL) continue;                                                         \
            *speed = lane_max(*speed, speed_of(p, s, at, &out));                                   \
            lane_store(p->state + at, state);                                                      \
            for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n) {                                        \
                lane_store(p->b[n] + at, b.a[n]);                                                  \
                lane_store(impulse[n] + k, -t->dt * volume * out.tau.a[n]);                        \
            }                                                                                      \
        }                                                                                          \
    }
SHERD_SOLID_LAWS(LAW_FUNCTION)

#define LAW_ENTRY(NAME, name, doc) [SHERD_SOLID_##NAME] = apply_##name,
static law_function *const LAWS[SHERD_SOLID_LAW_COUNT] = {SHERD_SOLID_LAWS(LAW_ENTRY)};

// ---------------------------------------------------------------- points

LANE_INLINE void load_payload(const sherd_mpm_transfer *t, const sherd_solid *s, size_t first,
                              bool affine, mpm_payload *out)
{
    const sherd_mpm_points *p = t->points;
    for (int k = 0; k < SHERD_MPM_BATCH; k += SHERD_LANES) {
        size_t at = first + (size_t)k;
        lane mass = s->density * lane_load(p->volume + at);
        lane_store(out->mass + k, mass);
        for (int axis = 0; axis < 3; ++axis)
            lane_store(out->momentum[axis] + k, mass * lane_load(p->v[axis] + at));
        for (int n = 0; n < SHERD_MPM_TENSOR && affine; ++n)
            lane_store(out->spread[n] + k, mass * lane_load(p->c[n] + at));
    }
}

// Work of the impulses of stress along the points' motion of the previous step, with the strain
// rate at its end.
LANE_INLINE lane pressed_by(const sherd_mpm_transfer *t, size_t first, const mpm_payload *payload)
{
    lane sum = lane_of(0);
    for (int k = 0; k < SHERD_MPM_BATCH; k += SHERD_LANES)
        for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n) {
            lane rate = lane_load(t->points->rate[n] + first + (size_t)k);
            lane twice = n < 3 ? rate : 2 * rate;
            sum = lane_fma(lane_load(payload->impulse[n] + k), twice, sum);
        }
    return sum;
}

// Terms of one point: node (k, y, z) gets wy wz even_k + (ry, wy') wz y_k + wy (rz, wz') z_k. The
// first quad is momentum, where ry = wy (y_i - y_p) multiplies its gradient along y; the second
// quad is impulse.
typedef struct along {
    octet even[MPM_REACH], y[MPM_REACH], z[MPM_REACH];
} along;

// Column `axis` of m C.
LANE_INLINE quad spread_of(const mpm_payload *p, int axis, int n, bool affine)
{
    if (!affine) return (quad){0};
    return (quad){0, p->spread[axis][n], p->spread[3 + axis][n], p->spread[6 + axis][n]};
}

// Column `axis` of -dt V0 tau.
LANE_INLINE quad impulse_of(const mpm_payload *p, int axis, int n)
{
    static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    return (quad){p->impulse[place[axis][0]][n], p->impulse[place[axis][1]][n],
                  p->impulse[place[axis][2]][n], 0};
}

LANE_INLINE along along_x(const mpm_payload *p, const mpm_weights *w, int n, int nodes, bool affine)
{
    quad motion = {p->mass[n], p->momentum[0][n], p->momentum[1][n], p->momentum[2][n]},
         spread = spread_of(p, 0, n, affine);
    octet even = octet_of(motion, impulse_of(p, 0, n)),
          y = octet_of(spread_of(p, 1, n, affine), impulse_of(p, 1, n)),
          z = octet_of(spread_of(p, 2, n, affine), impulse_of(p, 2, n));
    along out;
    for (int k = 0; k < nodes; ++k) {
        octet wx = octet_of_one(w->w[0][k][n]);
        out.y[k] = octet_times(wx, y), out.z[k] = octet_times(wx, z);
        out.even[k] = octet_times(octet_of_two(w->w[0][k][n], w->dw[0][k][n]), even);
        if (affine)
            out.even[k] = octet_fma(w->arm[0][k][n], octet_of(spread, (quad){0}), out.even[k]);
    }
    return out;
}

// (arm, slope) b + c; without gradients the first quad of b is empty.
LANE_INLINE octet add_slope(double arm, double slope, octet b, octet c, bool affine)
{
    return affine ? octet_add_product(octet_of_two(arm, slope), b, c)
                  : octet_fma_second(slope, b, c);
}

LANE_INLINE void add_point(const mpm_payload *p, const mpm_weights *w, int n, int nodes,
                           bool affine, octet_loads tile)
{
    along x = along_x(p, w, n, nodes, affine);
    for (int z = 0; z < nodes; ++z) {
        octet wz = octet_of_one(w->w[2][z][n]), even[MPM_REACH], along_y[MPM_REACH];
        for (int k = 0; k < nodes; ++k) {
            even[k] = add_slope(w->arm[2][z][n], w->dw[2][z][n], x.z[k], octet_times(wz, x.even[k]),
                                affine);
            along_y[k] = octet_times(wz, x.y[k]);
        }
        for (int y = 0; y < nodes; ++y) {
            double *row = tile[mpm_row(w, n, y, z)][0];
            for (int k = 0; k < nodes; ++k, row += 8) {
                octet here =
                    add_slope(w->arm[1][y][n], w->dw[1][y][n], along_y[k], octet_load(row), affine);
                octet_store(row, octet_fma(w->w[1][y][n], even[k], here));
            }
        }
    }
}

// ---------------------------------------------------------------- pages

LANE_INLINE void add_tile(const sherd_mpm_transfer *t, const sherd_mpm_page *page, bool octets,
                          const tile_loads *tile)
{
    for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
        double *to = t->grid->loads[page->layer[part]].node[0][0];
        uint16_t *begun = &t->grid->layers[page->layer[part]].rows;
        mpm_part_rows rows = mpm_rows_of_part(page, part);
        MPM_FOR_ROWS(rows, row)
        {
            double *at = to + 8 * SHERD_MPM_SIDE * row;
            size_t node = mpm_part(part) + mpm_part_row(row);
            if (octets)
                mpm_add_row(at, tile->octets[node][0], 8 * SHERD_MPM_SIDE, *begun >> row & 1);
            else
                mpm_quad_add_row(at, &tile->quads, node, *begun >> row & 1);
            *begun |= (uint16_t)(1u << row);
        }
    }
}

static double sum_of(const double part[SHERD_MPM_BATCH])
{
    double sum = 0.0;
    for (int n = 0; n < SHERD_MPM_BATCH; ++n)
        sum += part[n];
    return sum;
}

LANE_INLINE double scatter(const sherd_mpm_transfer *t, sherd_mpm_page *page,
                           sherd_mpm_kernel kernel, bool affine)
{
    double dissipated[SHERD_MPM_BATCH] __attribute__((aligned(64)));
    const sherd_solid *s = &t->solids[page->body];
    const bool octets = OCTETS || !affine;
    tile_loads tile;
    lane speed = lane_of(0), pressed = lane_of(0);
    mpm_bound(t, page, kernel);
    if (octets)
        mpm_clear_tile(page, tile.octets[0][0], 8);
    else
        mpm_quad_clear(page, &tile.quads);
    page->dissipated = 0.0;
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        mpm_weights w;
        mpm_payload p;
        mpm_weigh(t, page, first, kernel, &w);
        if (affine) mpm_weigh_arms(t->grid->h, kernel, &w);
        LAWS[s->kind](t, s, first, p.impulse, NULL, dissipated, &speed);
        page->dissipated += sum_of(dissipated);
        load_payload(t, s, first, affine, &p);
        if (t->rated) pressed += pressed_by(t, first, &p);
        for (int n = 0; n < SHERD_MPM_BATCH; ++n)
            if (octets)
                add_point(&p, &w, n, (int)kernel, affine, tile.octets);
            else
                mpm_quad_add_point(&p, &w, n, (int)kernel, &tile.quads);
    }
    add_tile(t, page, octets, &tile);
    page->pressed = 0.0;
    for (int n = 0; n < SHERD_LANES; ++n)
        page->pressed += lane_get(pressed, n);
    return mpm_largest(speed);
}

double SHERD_KERNEL(sherd_mpm_scatter)(const sherd_mpm_transfer *t, size_t number)
{
    sherd_mpm_page *page = &t->grid->pages[number];
    bool affine = t->points->c[0] != NULL;
    if (t->grid->kernel == SHERD_MPM_CUBIC && affine)
        return scatter(t, page, SHERD_MPM_CUBIC, true);
    if (t->grid->kernel == SHERD_MPM_CUBIC) return scatter(t, page, SHERD_MPM_CUBIC, false);
    if (affine) return scatter(t, page, SHERD_MPM_QUADRATIC, true);
    return scatter(t, page, SHERD_MPM_QUADRATIC, false);
}

double SHERD_KERNEL(sherd_mpm_energy)(const sherd_mpm_transfer *t, size_t number)
{
    sherd_mpm_page *page = &t->grid->pages[number];
    const sherd_solid *s = &t->solids[page->body];
    double sum = 0.0, energy[SHERD_MPM_BATCH] __attribute__((aligned(64)));
    double dissipated[SHERD_MPM_BATCH] __attribute__((aligned(64)));
    page->dissipated = 0.0;
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        LAWS[s->kind](t, s, first, NULL, energy, dissipated, NULL);
        sum += sum_of(energy), page->dissipated += sum_of(dissipated);
    }
    return sum;
}
