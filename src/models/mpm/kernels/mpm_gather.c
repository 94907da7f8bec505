// Grid to points:
//   x <- x + dt sum w v+,   v <- (1 - alpha) sum w v+ + alpha (v + sum w (v+ - v)),
//   b <- (I + dt L) b (I + dt L)^T,   L = sum v+ grad w^T.
// Affine points also have velocity gradients C, which change like velocities: with A(u) = D^-1 sum
// w u (x_i - x_p)^T, D = h^2/3 (cubic) or h^2/4 (quadratic),
//   C <- (1 - alpha) A(v+) + alpha (C + A(v+ - v)).
// The parts that points have beside the grid, v - sum w v and C - A(v), then have no angular
// momentum together, since nodes have all of it.
#include "models/mpm/kernels/mpm_gather_quads.h"
#include "models/mpm/kernels/mpm_octet.h"
#include "models/mpm/kernels/mpm_weights.h"

// Whether to use vectors of eight, which take both quads of a node at once; otherwise quads need
// fewer operations (mpm_gather_quads.h).
#if defined(__AVX512F__)
static const bool OCTETS = true;
#else
static const bool OCTETS = false;
#endif

typedef double tile_motion[SHERD_MPM_TILE_NODES][8];

LANE_INLINE void load_tile(const sherd_mpm_transfer *t, const sherd_mpm_page *page, bool octets,
                           tile_motion tile)
{
    for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
        const double *from = t->grid->motion[page->layer[part]].node[0][0];
        if (octets)
            mpm_load_part(page, part, from, tile[0], 8);
        else
            mpm_quad_load_part(page, part, from, tile);
    }
}

// Sums over a row, a plane or all nodes of w v+ and w (v+ - alpha v), and along each axis of w_,k
// v+ and, if there are gradients, of w (x_i - x_p)_k (v+ - alpha v).
typedef struct sums {
    octet both, x, y, z;
} sums;

// Adds the terms along an axis for a node, row or plane.
LANE_INLINE octet add_slope(const mpm_weights *w, int axis, int node, int n, bool affine,
                            octet both, octet sum)
{
    double slope = w->dw[axis][node][n];
    return octet_add_product(
        affine ? octet_of_two(slope, w->arm[axis][node][n]) : octet_of_one(slope), both, sum);
}

LANE_INLINE sums add_row(const mpm_weights *w, int n, int nodes, bool affine, const double *row)
{
    sums out = {0};
    for (int k = 0; k < nodes; ++k, row += 8) {
        octet both = octet_load(row);
        out.both = octet_fma(w->w[0][k][n], both, out.both);
        out.x = add_slope(w, 0, k, n, affine, both, out.x);
    }
    return out;
}

LANE_INLINE sums add_plane(const mpm_weights *w, int n, int z, int nodes, bool affine,
                           tile_motion tile)
{
    sums out = {0};
    for (int y = 0; y < nodes; ++y) {
        sums row = add_row(w, n, nodes, affine, tile[mpm_row(w, n, y, z)]);
        double wy = w->w[1][y][n];
        out.both = octet_fma(wy, row.both, out.both), out.x = octet_fma(wy, row.x, out.x);
        out.y = add_slope(w, 1, y, n, affine, row.both, out.y);
    }
    return out;
}

LANE_INLINE void gather_point(const mpm_weights *w, int n, int nodes, bool affine, tile_motion tile,
                              mpm_gathered *out)
{
    sums all = {0};
    for (int z = 0; z < nodes; ++z) {
        sums plane = add_plane(w, n, z, nodes, affine, tile);
        double wz = w->w[2][z][n];
        all.both = octet_fma(wz, plane.both, all.both);
        all.x = octet_fma(wz, plane.x, all.x), all.y = octet_fma(wz, plane.y, all.y);
        all.z = add_slope(w, 2, z, n, affine, plane.both, all.z);
    }
    const octet slopes[3] = {all.x, all.y, all.z};
    mpm_set_quad(out->v, n, octet_first(all.both));
    mpm_set_quad(out->flip, n, octet_second(all.both));
    for (int axis = 0; axis < 3; ++axis) {
        mpm_set_quad(out->l[axis], n, octet_first(slopes[axis]));
        if (affine) mpm_set_quad(out->first[axis], n, octet_second(slopes[axis]));
    }
}

LANE_INLINE void stretch(const sherd_mpm_points *p, size_t at, lane g[3][3])
{
    static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    lane b[SHERD_MPM_SYMMETRIC], gb[3][3];
    for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n)
        b[n] = lane_load(p->b[n] + at);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            gb[i][j] = lane_fma(g[i][0], b[place[0][j]],
                                lane_fma(g[i][1], b[place[1][j]], g[i][2] * b[place[2][j]]));
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
            lane_store(
                p->b[place[i][j]] + at,
                lane_fma(gb[i][0], g[j][0], lane_fma(gb[i][1], g[j][1], gb[i][2] * g[j][2])));
}

// Stores the strain rate relative to the end of the step: the symmetric part of L (I + dt L)^-1 = L
// - dt L^2 + ..., with g = I + dt L.
LANE_INLINE void note_rate(const sherd_mpm_transfer *t, size_t at, int k, const mpm_gathered *in)
{
    static const int row[SHERD_MPM_SYMMETRIC] = {0, 1, 2, 1, 0, 0},
                     column[SHERD_MPM_SYMMETRIC] = {0, 1, 2, 2, 2, 1};
    lane l[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            l[i][j] = lane_load(in->l[j][i] + k);
    for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n) {
        int i = row[n], j = column[n];
        lane first = l[i][j] + l[j][i], second = lane_of(0);
        for (int q = 0; q < 3; ++q)
            second = lane_fma(l[i][q], l[q][j], lane_fma(l[j][q], l[q][i], second));
        lane_store(t->points->rate[n] + at, 0.5 * lane_fma(lane_of(-t->dt), second, first));
    }
}

// C <- (1 - alpha) A(v+) + alpha (C + A(v+ - v)), then advected. The gradient of the velocity at x
// + dt v is C (I + dt L)^-1, to first order C - dt C L. In a body that rotates with angular
// velocity w, A(v+) contains the centripetal acceleration -w^2 dt, which this removes; otherwise
// points would remember it in C and contract. Only the rotational part is applied: with W, the
// antisymmetric part of C, it is -dt W^2, which is symmetric and leaves angular momentum unchanged.
// The part of stretching would accelerate contraction. Grains of sand keep C: without tension to
// hold them together, the rotational part would make sand swell for ever.
LANE_INLINE void change_gradients(const sherd_mpm_transfer *t, size_t at, int k, double inverse_d,
                                  double flip, bool grains, const mpm_gathered *in)
{
    const sherd_mpm_points *p = t->points;
    lane c[3][3], w[3], squares = lane_of(0), along = lane_of(grains ? 0.0 : -t->dt);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c[i][j] = lane_fma(lane_of(flip), lane_load(p->c[3 * i + j] + at),
                               inverse_d * lane_load(in->first[j][i] + k));
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        w[i] = 0.5 * (c[last][next] - c[next][last]);
        squares = lane_fma(w[i], w[i], squares);
    }
    // W^2 = w w^T - |w|^2 I
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            lane square = i == j ? lane_fma(w[i], w[j], -squares) : w[i] * w[j];
            lane_store(p->c[3 * i + j] + at, lane_fma(along, square, c[i][j]));
        }
}

LANE_INLINE void advance(const sherd_mpm_transfer *t, size_t first, bool affine, double inverse_d,
                         uint32_t body, const mpm_gathered *in, lane *most)
{
    const sherd_mpm_points *p = t->points;
    const double flip = t->flip[body];
    const bool grains = t->solids[body].kind == SHERD_SOLID_SAND;
    for (int k = 0; k < SHERD_MPM_BATCH; k += SHERD_LANES) {
        size_t at = first + (size_t)k;
        lane g[3][3];
        for (int i = 0; i < 3; ++i) {
            lane v = lane_load(in->v[i] + k);
            *most = lane_max(*most, lane_abs(v));
            lane_store(p->x[i] + at, lane_fma(lane_of(t->dt), v, lane_load(p->x[i] + at)));
            lane_store(p->v[i] + at, lane_fma(lane_of(flip), lane_load(p->v[i] + at),
                                              lane_load(in->flip[i] + k)));
            for (int j = 0; j < 3; ++j)
                g[i][j] = lane_fma(lane_of(t->dt), lane_load(in->l[j][i] + k), lane_of(i == j));
        }
        if (affine) change_gradients(t, at, k, inverse_d, flip, grains, in);
        if (t->rated) note_rate(t, at, k, in);
        stretch(p, at, g);
    }
}

LANE_INLINE double gather(const sherd_mpm_transfer *t, const sherd_mpm_page *page,
                          sherd_mpm_kernel kernel, bool affine)
{
    double h = t->grid->h, inverse_d = (kernel == SHERD_MPM_CUBIC ? 3.0 : 4.0) / (h * h);
    const bool octets = OCTETS || !affine;
    tile_motion tile __attribute__((aligned(64)));
    lane most = lane_of(0);
    load_tile(t, page, octets, tile);
    for (size_t first = page->begin; first < page->end; first += SHERD_MPM_BATCH) {
        mpm_weights w;
        mpm_gathered in;
        mpm_weigh(t, page, first, kernel, &w);
        if (affine) mpm_weigh_arms(h, kernel, &w);
        for (int n = 0; n < SHERD_MPM_BATCH; ++n)
            if (octets)
                gather_point(&w, n, (int)kernel, affine, tile, &in);
            else
                mpm_quad_gather_point(&w, n, (int)kernel, tile, &in);
        advance(t, first, affine, inverse_d, page->body, &in, &most);
    }
    return mpm_largest(most);
}

double SHERD_KERNEL(sherd_mpm_gather)(const sherd_mpm_transfer *t, size_t number)
{
    const sherd_mpm_page *page = &t->grid->pages[number];
    bool affine = t->points->c[0] != NULL;
    if (t->grid->kernel == SHERD_MPM_CUBIC && affine) return gather(t, page, SHERD_MPM_CUBIC, true);
    if (t->grid->kernel == SHERD_MPM_CUBIC) return gather(t, page, SHERD_MPM_CUBIC, false);
    if (affine) return gather(t, page, SHERD_MPM_QUADRATIC, true);
    return gather(t, page, SHERD_MPM_QUADRATIC, false);
}
