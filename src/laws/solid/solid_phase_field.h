// Phase-field fracture of [CD-MPM]: psi = g(c) psi+ + psi-, g = (1 - r) c^2 + r, with the phase c of the point from 1
// (whole) to 0 (broken), which models/mpm/damage/mpm_phase_field.h evolves, and the residual r. The split is that of Borden,
// Hughes, Landis, Anvari and Lee (Computer Methods in Applied Mechanics and Engineering 312, 2016): with
//   psi_dev = mu/2 (J^(-2/3) tr b - 3),  U = kappa/2 ((J^2 - 1)/2 - log J),  kappa = lambda + 2/3 mu,
// psi+ = psi_dev + U and psi- = 0 where J >= 1; psi+ = psi_dev and psi- = U where J < 1: cracks close. So
//   tau = g mu J^(-2/3) dev b + (J >= 1 ? g : 1) kappa/2 (J^2 - 1) I.
// `state` is c.
#pragma once

#include "laws/solid/solid_response.h"

// psi_dev and U, with J^(-2/3) and J^2.
typedef struct solid_split {
    lane square, even, trace; // J^2, J^(-2/3), tr b
    lane shape, volume;       // psi_dev, U [Pa]
} solid_split;

LANE_INLINE double solid_bulk(const sherd_solid *s)
{
    return s->lambda + s->mu * (2.0 / 3.0);
}

LANE_INLINE solid_split solid_split_of(const sherd_solid *s, const lane_symmetric *b)
{
    solid_split out;
    lane j = lane_sqrt(solid_determinant(b)); // not a number where the point is inverted
    lane log_j = lane_log(j);
    out.square = j * j, out.even = lane_exp(log_j * (-2.0 / 3.0));
    out.trace = b->a[0] + b->a[1] + b->a[2];
    out.shape = 0.5 * s->mu * lane_fma(out.even, out.trace, lane_of(-3.0));
    out.volume = 0.5 * solid_bulk(s) * (0.5 * (out.square - 1) - log_j);
    return out;
}

// The degradation g(c).
LANE_INLINE lane solid_degradation(const sherd_solid *s, lane c)
{
    return lane_fma((1.0 - s->residual) * c, c, lane_of(s->residual));
}

// psi+, the part of the energy that damage degrades.
LANE_INLINE lane solid_tensile_energy(const solid_split *split)
{
    lane_mask closed = lane_greater(lane_of(1), split->square);
    return split->shape + lane_select(closed, lane_of(0), split->volume);
}

// Of waves along the axis of the smallest stretch, or of shear along that of the largest: of tau_n per logarithmic strain, less
// tau_n, where the reference density is that of J = 1.
LANE_INLINE lane solid_split_stiffness(const sherd_solid *s, const lane_symmetric *b,
                                       const solid_split *split, lane shape, lane volume)
{
    lane least = lane_min(b->a[0], lane_min(b->a[1], b->a[2])),
         most = lane_max(b->a[0], lane_max(b->a[1], b->a[2]));
    lane along = lane_max(lane_fma(lane_of(5.0 / 9.0), split->trace, least * (-1.0 / 3.0)), most);
    return lane_fma(s->mu * shape * split->even, along,
                    0.5 * solid_bulk(s) * volume * (split->square + 1));
}

LANE_INLINE void solid_phase_field(const sherd_solid *s, lane_symmetric *b, lane *state,
                                   solid_response *out)
{
    solid_split split = solid_split_of(s, b);
    lane shape = solid_degradation(s, *state),
         volume = lane_select(lane_greater(lane_of(1), split.square), lane_of(1), shape);
    lane scale = s->mu * shape * split.even, mean = split.trace * (1.0 / 3.0),
         even = 0.5 * solid_bulk(s) * volume * (split.square - 1);
    for (int k = 0; k < 3; ++k)
        out->tau.a[k] = lane_fma(scale, b->a[k] - mean, even);
    for (int k = 3; k < 6; ++k)
        out->tau.a[k] = scale * b->a[k];
    // Steps do not grow as points break: cracks close, and what is whole again is as stiff as before.
    out->stiffness = lane_max(solid_split_stiffness(s, b, &split, shape, volume),
                              lane_of(s->lambda + 2 * s->mu));
    out->energy = lane_fma(shape, split.shape, volume * split.volume);
    out->dissipated = lane_of(0);
}
