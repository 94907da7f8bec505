// Sand: Drucker-Prager friction in logarithmic strains, without cohesion. With eps += v_c / 3
// first:
//   tr eps >= 0:  separation without stress: b = I, and v_c is the volume strain of opening;
//   otherwise     dg =
// e
// + (3 lambda + 2 mu) / (2 mu) tr(eps) alpha; if dg > 0, eps -= dg e /
// e
// ; v_c = 0.
// With the volume correction v_c an opened point has no stress before it has closed again. `state`
// is tr eps at the end of the previous step: v_c where it is positive, compression where it is not.
//
// Plastic work in a step is computed with the mean of the stresses at its start and end, as is the
// work of the points' motion. The stress at the start is known except for the norm of its deviator,
// which is assumed to be on the cone, or that of the trial strain where this is smaller: exact
// while a point continues to flow in the same direction.
#pragma once

#include "laws/solid/solid_hencky.h"

// The stress at the start of the step, along the principal axes of the present deviator, `size` its
// norm; 0 for open points.
LANE_INLINE void solid_sand_start(const sherd_solid *s, lane trace, lane slope,
                                  const lane deviator[3], lane size, lane tau[3])
{
    lane pressed = lane_min(trace, lane_of(0));
    lane_mask any = lane_greater(size, lane_of(0));
    lane fraction = lane_select(any, lane_min(-slope * pressed, size) / size, lane_of(0));
    for (int k = 0; k < 3; ++k)
        tau[k] = lane_fma(2 * s->mu * fraction, deviator[k],
                          lane_of(s->lambda + s->mu * (2.0 / 3.0)) * pressed);
}

LANE_INLINE void solid_sand(const sherd_solid *s, lane_symmetric *b, lane *state,
                            solid_response *out)
{
    lane_eigen e = lane_eigen_of(b);
    lane eps[3], deviator[3], value[3], start[3], tau[3], own[3], squares = lane_of(0),
                                                                  dissipated = lane_of(0);
    lane opened = lane_max(*state, lane_of(0));
    for (int k = 0; k < 3; ++k) {
        own[k] = 0.5 * lane_log(e.value[k]);
        eps[k] = lane_fma(opened, lane_of(1.0 / 3.0), own[k]);
    }
    lane trace = eps[0] + eps[1] + eps[2], mean = trace * (1.0 / 3.0);
    for (int k = 0; k < 3; ++k) {
        deviator[k] = eps[k] - mean;
        squares = lane_fma(deviator[k], deviator[k], squares);
    }
    lane size = lane_sqrt(squares),
         slope = lane_of((3 * s->lambda + 2 * s->mu) / (2 * s->mu) * s->friction);
    lane excess = lane_fma(slope, trace, size);
    lane_mask open = lane_not(lane_greater(lane_of(0), trace)),
              slides = lane_greater(excess, lane_of(0));
    lane fraction = lane_select(slides, 1 - excess / size, lane_of(1));
    fraction = lane_select(open, lane_of(0), fraction);
    mean = lane_select(open, lane_of(0), mean);
    for (int k = 0; k < 3; ++k) {
        eps[k] = lane_select(open, lane_of(0), lane_fma(fraction, deviator[k], mean));
        value[k] = lane_exp(2 * eps[k]);
    }
    lane_mask changes = open | slides | lane_greater(opened, lane_of(0));
    lane_symmetric flowed = lane_eigen_compose(&e, value);
    for (int k = 0; k < 6; ++k)
        b->a[k] = lane_select(changes, flowed.a[k], b->a[k]);
    solid_sand_start(s, *state, slope, deviator, size, start);
    *state = trace;
    solid_hencky_of(s, eps, tau, out);
    for (int k = 0; k < 3; ++k)
        dissipated = lane_fma(0.5 * (start[k] + tau[k]), own[k] - eps[k], dissipated);
    out->dissipated = lane_keep(changes, dissipated);
    out->tau = lane_eigen_compose(&e, tau);
}
