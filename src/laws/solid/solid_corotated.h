// Fixed-corotated elasticity. P = 2 mu (F - R) + lambda (J - 1) J F^-T gives tau = P F^T = 2 mu (b - V) + lambda (J - 1) J I
// with V = sqrt(b), as R F^T = V. Of principal stretches sigma: tau = 2 mu (sigma - 1) sigma + lambda (J - 1) J,
// psi = mu sum (sigma - 1)^2 + lambda/2 (J - 1)^2.
#pragma once

#include "laws/solid/solid_response.h"

// With mu and lambda multiplied by `stiffer`.
LANE_INLINE void solid_corotated_of(const sherd_solid *s, const lane sigma[3], lane stiffer,
                                    lane tau[3], solid_response *out)
{
    lane j = sigma[0] * sigma[1] * sigma[2];
    lane mean = s->lambda * (j - 1) * j, squares = lane_of(0), largest = lane_of(0);
    for (int k = 0; k < 3; ++k) {
        lane over = sigma[k] - 1;
        squares = lane_fma(over, over, squares);
        largest = lane_max(largest, sigma[k] * sigma[k]);
        tau[k] = stiffer * lane_fma(lane_of(2 * s->mu), over * sigma[k], mean);
    }
    out->stiffness = stiffer * lane_fma(lane_of(2 * s->mu), largest, s->lambda * j * j);
    out->energy = stiffer * lane_fma(lane_of(s->mu), squares, 0.5 * s->lambda * (j - 1) * (j - 1));
}

LANE_INLINE void solid_corotated(const sherd_solid *s, lane_symmetric *b, lane *state,
                                 solid_response *out)
{
    (void)state;
    out->dissipated = lane_of(0);
    lane_eigen e = lane_eigen_of(b);
    lane sigma[3], tau[3];
    for (int k = 0; k < 3; ++k)
        sigma[k] = lane_sqrt(e.value[k]);
    solid_corotated_of(s, sigma, lane_of(1), tau, out);
    out->tau = lane_eigen_compose(&e, tau);
}
