// Snow: principal stretches stay in [1 - compression, 1 + extension]; what is beyond has flowed and changes the plastic
// volume ratio J_p, by which the elastic law stiffens or weakens, exp(hardening (1 - J_p)).
//
// What flows within a step does so under the mean of the stresses at both of its ends, which is what the points' motion
// works against. The stress at its start is taken to be that of the strain as it is returned, before it hardens: exact
// while a point goes on flowing the same way.
#pragma once

#include "laws/solid/solid_corotated.h"

static const double SOLID_SNOW_STIFFEST =
    20.0; // of what hardening multiplies: longer time steps than without a bound

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
    lane soft = out->energy; // what it stores before it hardens
    if (lane_any(flows)) {
        lane_symmetric flowed = lane_eigen_compose(&e, value);
        for (int k = 0; k < 6; ++k)
            b->a[k] = lane_select(flows, flowed.a[k], b->a[k]);
        *state = lane_select(flows, *state * before / after, *state);
    }
    solid_corotated_of(s, sigma, solid_snow_stiffer(s, *state), tau, out);
    lane spent = soft - out->energy;
    for (int k = 0; k < 3; ++k)
        spent = lane_fma(0.5 * (start[k] + tau[k]), lane_log(trial[k] / sigma[k]), spent);
    out->spent = lane_keep(flows, spent);
    out->tau = lane_eigen_compose(&e, tau);
}
