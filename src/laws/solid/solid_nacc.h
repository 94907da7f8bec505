// Non-associated Cam clay (NACC) of [CD-MPM], on the elasticity of solid_phase_field.h undamaged: with p = -kappa/2 (J^2 - 1)
// and s = mu J^(-2/3) dev b, yield is where
//   y = (1 + 2 beta) q^2 + M^2 (p + beta p0) (p - p0) > 0,   q = sqrt(3/2) |s|,   M = 6 sin(phi) / (3 - sin(phi)),
//   p0 = kappa (1e-5 + sinh(xi max(-alpha, 0))).
// Three returns, of which only that of q is along s (the flow is not associated):
//   p > p0, p < -beta p0   to the tips of the ellipse: b = J'^(2/3) I, J' = sqrt(1 - 2 p0 / kappa), sqrt(1 + 2 beta p0 / kappa)
//                          and alpha += log(J / J')
//   else, y > 0            q to the ellipse, p and J stay; alpha += log(J / J_x), p_x that of the ellipse on the line from its
//                          centre to (p, q): in tension it softens, in compression it hardens
// The released code of [CD-MPM] keeps tr b in place of J in the last return, so that volume drifts by up to 3 %; here J stays.
// `state` is alpha, the logarithm of the plastic volume ratio. The released code returns once a step, to the surface of the alpha
// before it; here the return is repeated until alpha is that of the surface, so that a clay that softens by itself loses its
// stress in one step and not in the next ten.
//
// Plastic work in a step is computed with the mean of the stresses at its start and end, as is the work of the points' motion.
// The stress at the start is assumed to be that of the first return: exact while a point continues to flow in the same
// direction. What further returns take is the drop of energy, as there is no motion between them.
#pragma once

#include "laws/solid/solid_phase_field.h"

enum {
    SOLID_NACC_ROOTS = 40,   // Newton's iteration begins above the root, and falls to it
    SOLID_NACC_RETURNS = 200 // at most; what is left comes in the next step
};
static const double SOLID_NACC_SETTLED = 1e-10; // change of alpha

// p0.
LANE_INLINE lane solid_nacc_tip(const sherd_solid *s, lane alpha)
{
    const double least = 1e-5;
    lane x = s->hardening * lane_max(-alpha, lane_of(0));
    return solid_bulk(s) * lane_fma(lane_of(0.5), lane_exp(x) - lane_exp(-x), lane_of(least));
}

// The mean m of b' = m I + f dev b for which det b' = det b, in lanes of `flows`: m^3 - m |d|^2 / 2 + det d = J^2, d = f dev b.
LANE_INLINE lane solid_nacc_mean(lane_mask flows, lane f, lane squares, const lane_symmetric *d,
                                 lane square, lane start)
{
    lane half = 0.5 * f * f * squares, rest = f * f * f * solid_determinant(d) - square, m = start;
    for (int k = 0; k < SOLID_NACC_ROOTS; ++k) {
        lane over = lane_fma(m, lane_fma(m, m, -half), rest);
        lane step = over / lane_fma(3 * m, m, -half);
        lane_mask moves = flows & lane_greater(step, m * 0x1p-52);
        if (!lane_any(moves)) break;
        m = m - lane_keep(moves, step);
    }
    return m;
}

// Kirchhoff stress in principal axes times the logarithmic strain from b to b', of eigenvalues l and m + f (l - t).
LANE_INLINE lane solid_nacc_work(const sherd_solid *s, const lane_symmetric *b, lane f, lane m,
                                 lane t, lane even, lane pressure)
{
    lane_eigen e = lane_eigen_of(b);
    lane sum = lane_of(0);
    for (int k = 0; k < 3; ++k) {
        lane shape = f * (e.value[k] - t), back = m + shape;
        lane tau = lane_fma(s->mu * even, shape, -pressure);
        sum = lane_fma(tau, 0.5 * lane_log(e.value[k] / back), sum);
    }
    return sum;
}

typedef struct solid_nacc_return {
    lane_mask flows;
    lane f, m;     // b' = m I + f dev b
    lane pressure; // p after
} solid_nacc_return;

// Returns to the surface, and changes alpha.
LANE_INLINE solid_nacc_return solid_nacc_flow(const sherd_solid *s, const lane_symmetric *b,
                                              const solid_split *split, lane_mask moves,
                                              lane *alpha)
{
    const double kappa = solid_bulk(s), slope = s->friction, beta = s->cohesion;
    lane t = split->trace * (1.0 / 3.0), tip = solid_nacc_tip(s, *alpha);
    lane_symmetric d = *b;
    lane squares = lane_of(0);
    for (int k = 0; k < 3; ++k) {
        d.a[k] = d.a[k] - t;
        squares = lane_fma(d.a[k], d.a[k], lane_fma(2 * d.a[k + 3], d.a[k + 3], squares));
    }
    lane p = -0.5 * kappa * (split->square - 1), size = s->mu * split->even * lane_sqrt(squares);
    lane_mask pressed = lane_greater(p, tip), pulled = lane_greater(-beta * tip, p),
              tips = moves & (pressed | pulled);
    // |s| on the ellipse at this p
    lane room = lane_max((p + beta * tip) * (tip - p), lane_of(0));
    lane limit = slope * lane_sqrt(room * (1.0 / (1.5 * (1.0 + 2.0 * beta))));
    lane_mask sheared = moves & lane_greater(size, limit) & lane_not(tips);
    lane end = lane_select(pressed, tip, -beta * tip), square = 1 - end * (2.0 / kappa);
    lane log_j = 0.5 * lane_log(split->square), even = lane_exp(lane_log(square) * (1.0 / 3.0));
    // alpha, by the line from the centre
    lane half = 0.5 * (1.0 + beta) * tip, centre = 0.5 * (1.0 - beta) * tip, off = p - centre;
    lane q2 = 1.5 * (1.0 + 2.0 * beta) * size * size,
         along = slope * half / lane_sqrt(lane_fma(slope * slope * off, off, q2));
    lane crossed = 1 - lane_fma(along, off, centre) * (2.0 / kappa);
    lane to = lane_select(tips, square, lane_max(crossed, lane_of(1e-8)));
    solid_nacc_return out;
    out.flows = tips | sheared;
    out.f = lane_select(tips, lane_of(0), lane_select(sheared, limit / size, lane_of(1)));
    out.m = lane_select(tips, even, solid_nacc_mean(sheared, out.f, squares, &d, split->square, t));
    out.pressure = lane_select(tips, end, p);
    *alpha = *alpha + lane_keep(out.flows, log_j - 0.5 * lane_log(to));
    return out;
}

// Sets b' where there is flow, and its energies.
LANE_INLINE void solid_nacc_apply(const sherd_solid *s, const solid_nacc_return *flow,
                                  lane_symmetric *b, solid_split *split)
{
    lane t = split->trace * (1.0 / 3.0);
    for (int k = 0; k < 3; ++k) {
        b->a[k] = lane_select(flow->flows, lane_fma(flow->f, b->a[k] - t, flow->m), b->a[k]);
        b->a[k + 3] = lane_select(flow->flows, flow->f * b->a[k + 3], b->a[k + 3]);
    }
    *split = solid_split_of(s, b);
}

LANE_INLINE void solid_nacc(const sherd_solid *s, lane_symmetric *b, lane *state,
                            solid_response *out)
{
    solid_split split = solid_split_of(s, b);
    lane t = split.trace * (1.0 / 3.0), before = *state;
    lane_mask all = lane_not(lane_greater(lane_of(0), lane_of(0)));
    solid_nacc_return flow = solid_nacc_flow(s, b, &split, all, state);
    out->dissipated = lane_of(0);
    if (lane_any(flow.flows)) {
        lane_symmetric from = *b;
        solid_nacc_apply(s, &flow, b, &split);
        lane work = solid_nacc_work(s, &from, flow.f, flow.m, t, split.even, flow.pressure),
             stored = split.shape + split.volume;
        out->dissipated = lane_keep(flow.flows, work);
        for (int k = 1; k < SOLID_NACC_RETURNS; ++k) {
            lane_mask moves = lane_greater(lane_abs(*state - before), lane_of(SOLID_NACC_SETTLED));
            before = *state;
            if (!lane_any(moves)) break;
            solid_nacc_return next = solid_nacc_flow(s, b, &split, moves, state);
            solid_nacc_apply(s, &next, b, &split);
        }
        out->dissipated = out->dissipated + (stored - (split.shape + split.volume));
    }
    lane mean = split.trace * (1.0 / 3.0), scale = s->mu * split.even,
         even = 0.5 * solid_bulk(s) * (split.square - 1);
    for (int k = 0; k < 3; ++k)
        out->tau.a[k] = lane_fma(scale, b->a[k] - mean, even);
    for (int k = 3; k < 6; ++k)
        out->tau.a[k] = scale * b->a[k];
    out->stiffness = solid_split_stiffness(s, b, &split, lane_of(1), lane_of(1));
    out->energy = split.shape + split.volume;
}
