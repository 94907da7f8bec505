// Snow: principal stretches are limited to [1 - compression, 1 + extension]; the excess is plastic
// and changes the plastic volume ratio J_p, which hardens or softens the elastic law by
// exp(hardening (1 - J_p)).
//
// Plastic work in a step is computed with the mean of the stresses at its start and end, as is the
// work of the points' motion. The stress at the start is assumed to be that of the returned strain
// before hardening: exact while a point continues to flow in the same direction.
#pragma once

#include "laws/solid/solid_corotated.h"

static const double SOLID_SNOW_STIFFEST =
    20.0; // limit of the hardening factor: allows longer time steps

LANE_INLINE lane solid_snow_stiffer(const sherd_solid *s, lane state)
{
    return lane_min(lane_exp(s->hardening * (1 - state)), lane_of(SOLID_SNOW_STIFFEST));
}

LANE_INLINE void solid_snow(const sherd_solid *s, lane_symmetric *b, lane *state,
                            solid_response *out)
{
    lane_eigen e = lane_eigen_of(b);
    lane sigma[3], value[3], trial[3], tau[3], start[3], before = lane_of(1), after = lane_of(1);
    for (int k = 0; k < 3; ++k) {
        trial[k] = lane_sqrt(e.value[k]);
        sigma[k] =
            lane_min(lane_max(trial[k], lane_of(1 - s->compression)), lane_of(1 + s->extension));
        before = before * trial[k], after = after * sigma[k];
        value[k] = sigma[k] * sigma[k];
    }
    lane_mask flows = lane_greater(lane_abs(before - after), lane_of(0));
    solid_corotated_of(s, sigma, solid_snow_stiffer(s, *state), start, out);
    lane soft = out->energy; // stored energy before hardening
    if (lane_any(flows)) {
        lane_symmetric flowed = lane_eigen_compose(&e, value);
        for (int k = 0; k < 6; ++k)
            b->a[k] = lane_select(flows, flowed.a[k], b->a[k]);
        *state = lane_select(flows, *state * before / after, *state);
    }
    solid_corotated_of(s, sigma, solid_snow_stiffer(s, *state), tau, out);
    lane dissipated = soft - out->energy;
    for (int k = 0; k < 3; ++k)
        dissipated = lane_fma(0.5 * (start[k] + tau[k]), lane_log(trial[k] / sigma[k]), dissipated);
    out->dissipated = lane_keep(flows, dissipated);
    out->tau = lane_eigen_compose(&e, tau);
}
