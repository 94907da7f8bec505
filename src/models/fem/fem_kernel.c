#include "models/fem/fem_kernel.h"

#include "math/lane.h"
#include "models/fem/fem_math.h"

typedef struct lane9 {
    lane m[9];
} lane9;

// a b
LANE_INLINE lane9 multiply(const lane9 *a, const lane9 *b)
{
    lane9 c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c.m[3 * i + j] =
                lane_fma(a->m[3 * i + 2], b->m[6 + j],
                         lane_fma(a->m[3 * i + 1], b->m[3 + j], a->m[3 * i] * b->m[j]));
    return c;
}

// The symmetric part of a^T b
LANE_INLINE lane9 symmetric_product(const lane9 *a, const lane9 *b)
{
    lane9 c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c.m[3 * i + j] = lane_fma(a->m[6 + i], b->m[6 + j],
                                      lane_fma(a->m[3 + i], b->m[3 + j], a->m[i] * b->m[j]));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j)
            c.m[3 * i + j] = c.m[3 * j + i] = LANE_HALF * (c.m[3 * i + j] + c.m[3 * j + i]);
    return c;
}

LANE_INLINE lane9 cofactors(const lane9 *a)
{
    const lane *m = a->m;
    return (lane9){{m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6],
                    m[2] * m[7] - m[1] * m[8], m[0] * m[8] - m[2] * m[6], m[1] * m[6] - m[0] * m[7],
                    m[1] * m[5] - m[2] * m[4], m[2] * m[3] - m[0] * m[5],
                    m[0] * m[4] - m[1] * m[3]}};
}

LANE_INLINE lane determinant(const lane9 *a, const lane9 *cofactor)
{
    return lane_fma(a->m[2], cofactor->m[2],
                    lane_fma(a->m[1], cofactor->m[1], a->m[0] * cofactor->m[0]));
}

// Newton's iteration R <- (R + R^-T) / 2 from F. It converges quadratically: a step that changes R
// by less than 1e-8 leaves an error of 1e-16. Lanes stop one by one, so that results do not depend
// on their number. Lanes that are flat or inside out (bits) are left to the caller.
LANE_INLINE lane9 rotation(const lane9 *F, unsigned *flat)
{
    enum { MOST = 12 };
    const lane least = lane_of(1e-16);
    lane9 R = *F, cofactor = cofactors(F);
    lane det = determinant(F, &cofactor);
    lane_mask bad = lane_not(lane_greater(det, lane_of(SHERD_FEM_FLAT))), done = bad;
    for (int n = 0; n < MOST && lane_any(lane_not(done)); ++n) {
        lane half = LANE_HALF / lane_select(bad, lane_of(1.0), det), change = lane_of(0.0);
        for (int k = 0; k < 9; ++k) {
            lane next = lane_fma(half, cofactor.m[k], LANE_HALF * R.m[k]);
            lane moved = next - R.m[k];
            change = lane_fma(moved, moved, change);
            R.m[k] = lane_select(done, R.m[k], next);
        }
        done = done | lane_not(lane_greater(change, least));
        cofactor = cofactors(&R);
        det = determinant(&R, &cofactor);
    }
    *flat = lane_mask_bits(bad);
    return R;
}

// Rotations of flat lanes below `count`.
static __attribute__((noinline)) void turn_flat(const sherd_fem *fem, const lane9 *F, lane9 *R,
                                                unsigned flat, unsigned count)
{
    for (unsigned l = 0; l < count; ++l) {
        if (!(flat >> l & 1)) continue;
        double f[9], r[9];
        for (int k = 0; k < 9; ++k)
            f[k] = lane_get(F->m[k], (int)l);
        fem->find_rotation(f, r);
        for (int k = 0; k < 9; ++k)
            R->m[k] = lane_set(R->m[k], (int)l, r[k]);
    }
}

// Edges from corner 0 as the columns of a matrix.
LANE_INLINE lane9 edges(const double *x, const double *y, const double *z,
                        int32_t (*node)[SHERD_LANES])
{
    const double *const axis[3] = {x, y, z};
    lane9 m;
    for (int a = 0; a < 3; ++a) {
        lane origin = lane_gather(axis[a], node[0]);
        for (int c = 0; c < 3; ++c)
            m.m[3 * a + c] = lane_gather(axis[a], node[c + 1]) - origin;
    }
    return m;
}

// 2 mu E + lambda tr(E)
LANE_INLINE lane9 stress_of(const lane9 *E, lane mu, lane lambda)
{
    lane pressure = lambda * (E->m[0] + E->m[4] + E->m[8]);
    lane9 s;
    for (int k = 0; k < 9; ++k)
        s.m[k] = (real)2.0 * mu * E->m[k];
    s.m[0] += pressure, s.m[4] += pressure, s.m[8] += pressure;
    return s;
}

LANE_INLINE lane product_sum(const lane9 *a, const lane9 *b)
{
    lane sum = a->m[0] * b->m[0];
    for (int k = 1; k < 9; ++k)
        sum = lane_fma(a->m[k], b->m[k], sum);
    return sum;
}

LANE_INLINE void store_forces(sherd_fem *fem, size_t t, const lane9 *P, const lane9 *inverse,
                              lane volume)
{
    for (int a = 0; a < 3; ++a) {
        lane sum = lane_of(0.0);
        for (int c = 0; c < 3; ++c) {
            lane f = lane_fma(
                P->m[3 * a + 2], inverse->m[3 * c + 2],
                lane_fma(P->m[3 * a + 1], inverse->m[3 * c + 1], P->m[3 * a] * inverse->m[3 * c]));
            f = -volume * f;
            sum = sum + f;
            lane_store(fem->force[3 * (c + 1) + a] + t, f);
        }
        lane_store(fem->force[a] + t, -sum);
    }
}

LANE_INLINE void forces_of(sherd_fem *fem, size_t t, unsigned count)
{
    int32_t node[4][SHERD_LANES];
    for (int l = 0; l < SHERD_LANES; ++l)
        for (int c = 0; c < 4; ++c)
            node[c][l] = fem->corner[4 * (t + (size_t)l) + (size_t)c];
    const sherd_points *p = &fem->nodes;
    lane9 inverse, Ds = edges(p->px, p->py, p->pz, node), Dv = edges(p->vx, p->vy, p->vz, node);
    for (int k = 0; k < 9; ++k)
        inverse.m[k] = lane_load(fem->inverse[k] + t);
    lane9 F = multiply(&Ds, &inverse), rate = multiply(&Dv, &inverse);
    unsigned flat;
    lane9 R = rotation(&F, &flat);
    if (__builtin_expect(flat != 0, 0)) turn_flat(fem, &F, &R, flat, count);
    lane mu = lane_load(fem->mu + t), lambda = lane_load(fem->lambda + t),
         beta = lane_load(fem->relaxation + t), volume = lane_load(fem->volume + t);
    lane9 E = symmetric_product(&R, &F);
    E.m[0] -= (real)1.0, E.m[4] -= (real)1.0, E.m[8] -= (real)1.0;
    lane9 stress = stress_of(&E, mu, lambda), P = multiply(&R, &stress);
    lane9 G = symmetric_product(&F, &rate), viscous = stress_of(&G, beta * mu, beta * lambda),
          Q = multiply(&F, &viscous);
    for (int k = 0; k < 9; ++k)
        P.m[k] = P.m[k] + Q.m[k];
    lane_store(fem->power + t, volume * product_sum(&viscous, &G));
    lane_store(fem->norm + t, lane_sqrt(product_sum(&stress, &stress)));
    store_forces(fem, t, &P, &inverse, volume);
}

void SHERD_KERNEL(sherd_fem_forces)(sherd_fem *fem, size_t begin, size_t end)
{
    for (size_t t = begin; t < end; t += SHERD_LANES)
        forces_of(fem, t, end - t < SHERD_LANES ? (unsigned)(end - t) : SHERD_LANES);
}
