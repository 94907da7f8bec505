// Compiled several times with different SHERD_LANES and instruction sets; see cmake/kernels.cmake.
#include "linear/multigrid/coarse_kernel.h"

#include "math/lane.h"
#include "math/lane_transpose.h"

enum { ROW = SHERD_COARSE_LANES, PARTS = ROW / SHERD_LANES, N = 6 };

typedef struct lane6 {
    lane c[N];
} lane6;

#if SHERD_LANES == 16
typedef float piece __attribute__((vector_size(SHERD_COARSE_ROW * sizeof(float))));
#endif

LANE_INLINE lane6 load6(const float *x, size_t stride, size_t at)
{
    lane6 v;
    for (int c = 0; c < N; ++c)
        v.c[c] = lane_load(x + (size_t)c * stride + at);
    return v;
}

LANE_INLINE void store6(float *x, size_t stride, size_t at, const lane6 *v)
{
    for (int c = 0; c < N; ++c)
        lane_store(x + (size_t)c * stride + at, v->c[c]);
}

// Gathers six numbers of arbitrary nodes from their rows of eight.
LANE_INLINE lane6 load_rows(const float *rows, const int32_t *index)
{
    lane r[SHERD_COARSE_ROW];
#if SHERD_LANES == 16
    for (int k = 0; k < SHERD_COARSE_ROW; ++k) {
        piece first, second; // lanes k and k + 8
        memcpy(&first, rows + (size_t)index[k] * SHERD_COARSE_ROW, sizeof first);
        memcpy(&second, rows + (size_t)index[k + 8] * SHERD_COARSE_ROW, sizeof second);
        r[k] = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                       14, 15);
    }
#else
    for (int part = 0; part < SHERD_COARSE_ROW; part += SHERD_LANES)
        for (int k = 0; k < SHERD_LANES; ++k)
            r[part + k] = lane_load(rows + (size_t)index[k] * SHERD_COARSE_ROW + part);
#endif
    lane_transpose_8(r);
    return (lane6){{r[0], r[1], r[2], r[3], r[4], r[5]}};
}

// The reverse, for consecutive nodes.
LANE_INLINE void store_rows(float *rows, size_t at, const lane6 *v)
{
    lane r[SHERD_COARSE_ROW] = {v->c[0], v->c[1], v->c[2],    v->c[3],
                                v->c[4], v->c[5], lane_of(0), lane_of(0)};
    lane_transpose_8(r);
#if SHERD_LANES == 16
    for (int k = 0; k < SHERD_COARSE_ROW; ++k)
        for (int half = 0; half < 2; ++half)
            memcpy(rows + (at + (size_t)(8 * half + k)) * SHERD_COARSE_ROW,
                   (const float *)&r[k] + 8 * half, sizeof(piece));
#else
    for (int part = 0; part < SHERD_COARSE_ROW; part += SHERD_LANES)
        for (int k = 0; k < SHERD_LANES; ++k)
            lane_store(rows + (at + (size_t)k) * SHERD_COARSE_ROW + part, r[part + k]);
#endif
}

LANE_INLINE lane6 gather6(const float *x, size_t stride, const int32_t *index)
{
    lane6 v;
    for (int c = 0; c < N; ++c)
        v.c[c] = lane_gather(x + (size_t)c * stride, index);
    return v;
}

LANE_INLINE lane6 sub6(const lane6 *a, const lane6 *b)
{
    lane6 v;
    for (int c = 0; c < N; ++c)
        v.c[c] = a->c[c] - b->c[c];
    return v;
}

// y += M x, M packed with stride `step`. Sums stay in registers only if all loops are unrolled.
LANE_INLINE void add_product(const float *m, size_t step, const lane6 *x, lane6 *y)
{
#pragma GCC unroll 8
    for (int r = 0; r < N; ++r)
#pragma GCC unroll 8
        for (int c = 0; c < N; ++c) {
            if (c > r) continue;
            lane entry = lane_load(m + (size_t)(r * (r + 1) / 2 + c) * step);
            y->c[r] = lane_fma(entry, x->c[c], y->c[r]);
            if (c < r) y->c[c] = lane_fma(entry, x->c[r], y->c[c]);
        }
}

// The motion x transferred to a point at offset r: t + theta x r.
LANE_INLINE lane6 motion_at(const lane6 *x, const lane r[3])
{
    lane6 v = *x;
    v.c[0] = lane_fma(x->c[4], r[2], lane_fnma(x->c[5], r[1], x->c[0]));
    v.c[1] = lane_fma(x->c[5], r[0], lane_fnma(x->c[3], r[2], x->c[1]));
    v.c[2] = lane_fma(x->c[3], r[1], lane_fnma(x->c[4], r[0], x->c[2]));
    return v;
}

// ---------------------------------------------------------------- products with a level's matrix

// Contribution of one contact to a row's product, like a slot's for a single row. Returns its
// energy.
// Returns its energy.
static double add_contact(const sherd_coarse_product *p, size_t row,
                          const sherd_coarse_contact *contact, float y[N])
{
    size_t stride = p->matrix.stride, column = (size_t)contact->column;
    const double r[3] = {(double)contact->offset[0], (double)contact->offset[1],
                         (double)contact->offset[2]};
    double x[N], d[N], sum[N] = {0};
    for (int c = 0; c < N; ++c)
        x[c] = (double)p->z[(size_t)c * stride + column];
    d[0] = x[0] + (x[4] * r[2] - x[5] * r[1]);
    d[1] = x[1] + (x[5] * r[0] - x[3] * r[2]);
    d[2] = x[2] + (x[3] * r[1] - x[4] * r[0]);
    for (int c = 0; c < N; ++c)
        d[c] = (double)p->z[(size_t)c * stride + row] - (c < 3 ? d[c] : x[c]);
    for (int a = 0; a < N; ++a)
        for (int c = 0; c < N; ++c) {
            int high = a > c ? a : c, low = a > c ? c : a;
            sum[a] += contact->spring[high * (high + 1) / 2 + low] * d[c];
        }
    double energy = 0.0;
    for (int a = 0; a < N; ++a) {
        y[a] += (float)sum[a];
        energy += sum[a] * d[a];
    }
    return energy;
}

static void add_contacts(const sherd_coarse_product *p, size_t at, lane6 *y)
{
    const int32_t *start = p->matrix.contact_start;
    for (int l = 0; l < SHERD_LANES; ++l) {
        float sum[N] = {0};
        double energy = 0.0;
        for (int32_t k = start[at + (size_t)l]; k < start[at + (size_t)l + 1]; ++k) {
            const sherd_coarse_contact *contact = &p->matrix.contacts[k];
            bool grounded = (size_t)contact->column + 1 == p->matrix.stride;
            energy += (grounded ? 1.0 : 0.5) * add_contact(p, at + (size_t)l, contact, sum);
        }
        if (p->energy != NULL) p->energy[at + (size_t)l] += energy;
        for (int c = 0; c < N; ++c)
            y->c[c] = lane_set(y->c[c], l, lane_get(y->c[c], l) + sum[c]);
    }
}

LANE_INLINE lane dot6(const lane6 *a, const lane6 *b)
{
    lane sum = a->c[0] * b->c[0];
    for (int c = 1; c < N; ++c)
        sum = lane_fma(a->c[c], b->c[c], sum);
    return sum;
}

// Returns the energy of all slots, or 0 if it is not requested.
LANE_INLINE lane add_slots(const sherd_coarse_matrix *m, const float *rows, size_t slice, int part,
                           bool with_energy, const lane6 *x, lane6 *y)
{
    lane energy = lane_of(0);
    for (int32_t slot = m->slice_start[slice]; slot < m->slice_start[slice + 1]; ++slot) {
        const int32_t *column = m->column + (size_t)slot * ROW + part * SHERD_LANES;
        const float *value =
            m->values + (size_t)slot * SHERD_COARSE_NUMBERS * ROW + part * SHERD_LANES;
        lane offset[3];
        for (int c = 0; c < 3; ++c)
            offset[c] = lane_load(value + (SHERD_SPRING_NUMBERS + c) * ROW);
        lane6 other = load_rows(rows, column);
        other = motion_at(&other, offset);
        lane6 difference = sub6(x, &other);
        if (!with_energy) {
            add_product(value, ROW, &difference, y);
            continue;
        }
        lane6 load = {{{0}}};
        add_product(value, ROW, &difference, &load);
        energy = energy + dot6(&difference, &load);
        for (int c = 0; c < N; ++c)
            y->c[c] = y->c[c] + load.c[c];
    }
    return energy;
}

LANE_INLINE void product_part(const sherd_coarse_product *p, size_t slice, int part)
{
    const sherd_coarse_matrix *m = &p->matrix;
    size_t at = slice * ROW + (size_t)part * SHERD_LANES;
    lane6 x = load6(p->z, m->stride, at), y = {{{0}}};
    add_product(m->ground + at, m->stride, &x, &y);
    if (p->energy != NULL) {
        lane own = dot6(&x, &y), shared = add_slots(m, p->rows, slice, part, true, &x, &y);
        for (int l = 0; l < SHERD_LANES; ++l)
            p->energy[at + (size_t)l] =
                (double)lane_get(own, l) + 0.5 * (double)lane_get(shared, l);
    } else {
        add_slots(m, p->rows, slice, part, false, &x, &y);
    }
    if (m->contact_start[at] != m->contact_start[at + SHERD_LANES]) add_contacts(p, at, &y);
    if (p->mode != SHERD_COARSE_APPLY) {
        lane6 b = load6(p->b, m->stride, at);
        y = sub6(&b, &y);
    }
    if (p->mode == SHERD_COARSE_SMOOTH) {
        add_product(m->smoother + at, m->stride, &y, &x);
        y = x;
    }
    store6(p->y, m->stride, at, &y);
}

static void rows(const sherd_coarse_rows *r, size_t begin, size_t end)
{
    for (size_t at = begin * ROW; at < end * ROW; at += SHERD_LANES) {
        lane6 z = load6(r->z, r->stride, at);
        store_rows(r->rows, at, &z);
    }
}

static void product(const sherd_coarse_product *p, size_t begin, size_t end)
{
    unsigned mode = lane_flush_tiny();
    for (size_t slice = begin; slice < end; ++slice)
        for (int part = 0; part < PARTS; ++part)
            product_part(p, slice, part);
    lane_restore_mode(mode);
}

// ---------------------------------------------------------------- node by node

static void blocks(const sherd_block_product *p, size_t begin, size_t end)
{
    unsigned mode = lane_flush_tiny();
    for (size_t at = begin * ROW; at < end * ROW; at += SHERD_LANES) {
        lane6 b = load6(p->b, p->stride, at), y = {{{0}}};
        if (p->t != NULL) {
            lane6 t = load6(p->t, p->stride, at);
            b = sub6(&b, &t);
        }
        if (p->z != NULL) y = load6(p->z, p->stride, at);
        add_product(p->blocks + at, p->stride, &b, &y);
        store6(p->y, p->stride, at, &y);
    }
    lane_restore_mode(mode);
}

static void restrict_load(const sherd_coarse_transfer *t, size_t begin, size_t end)
{
    unsigned mode = lane_flush_tiny();
    for (size_t row = begin; row < end; ++row) {
        float sum[N] = {0};
        for (int32_t k = t->child_start[row]; k < t->child_start[row + 1]; ++k) {
            size_t child = (size_t)t->child[k];
            float f[N], r[3];
            for (int c = 0; c < N; ++c) {
                f[c] = t->b[(size_t)c * t->fine_stride + child];
                if (t->t != NULL) f[c] -= t->t[(size_t)c * t->fine_stride + child];
            }
            for (int c = 0; c < 3; ++c)
                r[c] = t->offset[(size_t)c * t->fine_stride + child];
            f[3] += r[1] * f[2] - r[2] * f[1];
            f[4] += r[2] * f[0] - r[0] * f[2];
            f[5] += r[0] * f[1] - r[1] * f[0];
            for (int c = 0; c < N; ++c)
                sum[c] += f[c];
        }
        for (int c = 0; c < N; ++c)
            t->right[(size_t)c * t->stride + row] = sum[c];
    }
    lane_restore_mode(mode);
}

static void add_motion(const sherd_coarse_transfer *t, size_t begin, size_t end)
{
    unsigned mode = lane_flush_tiny();
    for (size_t at = begin * ROW; at < end * ROW; at += SHERD_LANES) {
        lane r[3];
        for (int c = 0; c < 3; ++c)
            r[c] = lane_load(t->offset + (size_t)c * t->fine_stride + at);
        lane6 parent = gather6(t->solution, t->stride, t->parent + at);
        parent = motion_at(&parent, r);
        lane6 z = load6(t->z, t->fine_stride, at);
        for (int c = 0; c < N; ++c)
            z.c[c] = z.c[c] + parent.c[c];
        store6(t->z, t->fine_stride, at, &z);
    }
    lane_restore_mode(mode);
}

// ---------------------------------------------------------------- inverses

// Lower bound of pivots, relative to a unit diagonal: some roundings.
static const real MIN_PIVOT = (real)1e-6;

// L L' = A, diagonal 1 / L_rr.
LANE_INLINE void factor(lane a[N][N])
{
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c) {
            lane sum = a[r][c];
            for (int k = 0; k < c; ++k)
                sum = lane_fnma(a[r][k], a[c][k], sum);
            a[r][c] = c < r ? sum * a[c][c] : 1 / lane_sqrt(lane_max(sum, lane_of(MIN_PIVOT)));
        }
}

// The factor's inverse, in place.
LANE_INLINE void invert_factor(lane l[N][N])
{
    for (int r = 0; r < N; ++r)
        for (int c = 0; c < r; ++c) {
            lane sum = lane_of(0);
            for (int k = c; k < r; ++k)
                sum = lane_fma(l[r][k], l[k][c], sum);
            l[r][c] = -(l[r][r] * sum);
        }
}

LANE_INLINE void invert_part(float *packed, size_t stride, size_t at)
{
    lane a[N][N], scale[N];
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c)
            a[r][c] = lane_load(packed + (size_t)(r * (r + 1) / 2 + c) * stride + at);
    for (int r = 0; r < N; ++r) {
        lane_mask some = lane_greater(a[r][r], lane_of(0));
        scale[r] = lane_keep(some, 1 / lane_sqrt(lane_select(some, a[r][r], lane_of(1))));
    }
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c)
            a[r][c] = (scale[r] * a[r][c]) * scale[c];
    factor(a);
    invert_factor(a);
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c) {
            lane sum = lane_of(0);
            for (int k = r; k < N; ++k)
                sum = lane_fma(a[k][r], a[k][c], sum);
            lane_store(packed + (size_t)(r * (r + 1) / 2 + c) * stride + at,
                       (scale[r] * sum) * scale[c]);
        }
}

static void invert(float *packed, size_t stride, size_t begin, size_t end)
{
    for (size_t at = begin * ROW; at < end * ROW; at += SHERD_LANES)
        invert_part(packed, stride, at);
}

const sherd_coarse_kernels SHERD_KERNEL(sherd_coarse_kernels) = {rows,          product,    blocks,
                                                                 restrict_load, add_motion, invert};
