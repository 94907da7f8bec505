// Elasticity in logarithmic strains eps = log(b) / 2: tau = 2 mu eps + lambda tr(eps) I, psi = mu
// eps
// ^2 + lambda/2 tr^2. Von Mises plasticity: the deviator e of eps is limited to 2 mu
// e
// <= sqrt(2/3) tau_y, with the uniaxial yield stress tau_y; the excess is plastic. Volume does not
// change.
//
// Plastic work in a step is computed with the mean of the stresses at its start and end, as is the
// work of the points' motion: `state` is
// e
// at the end of the previous step, assumed to be in the same direction.
#pragma once

#include "laws/solid/solid_response.h"

LANE_INLINE void solid_hencky_of(const sherd_solid *s, const lane eps[3], lane tau[3],
                                 solid_response *out)
{
    lane trace = eps[0] + eps[1] + eps[2], squares = lane_of(0), smallest = lane_of(0);
    for (int k = 0; k < 3; ++k) {
        squares = lane_fma(eps[k], eps[k], squares);
        tau[k] = lane_fma(lane_of(2 * s->mu), eps[k], s->lambda * trace);
        smallest = lane_min(smallest, tau[k]);
    }
    out->stiffness = s->lambda + 2 * s->mu - smallest;
    out->energy = lane_fma(lane_of(s->mu), squares, 0.5 * s->lambda * trace * trace);
}

LANE_INLINE void solid_hencky(const sherd_solid *s, lane_symmetric *b, lane *state,
                              solid_response *out)
{
    lane_eigen e = lane_eigen_of(b);
    lane eps[3], deviator[3], tau[3], squares = lane_of(0);
    for (int k = 0; k < 3; ++k)
        eps[k] = 0.5 * lane_log(e.value[k]);
    lane mean = (eps[0] + eps[1] + eps[2]) * (1.0 / 3.0);
    for (int k = 0; k < 3; ++k) {
        deviator[k] = eps[k] - mean;
        squares = lane_fma(deviator[k], deviator[k], squares);
    }
    lane limit = lane_of(sqrt(2.0 / 3.0) * s->yield_stress / (2 * s->mu)),
         size = lane_sqrt(squares);
    lane_mask flows = lane_greater(size, limit);
    out->dissipated = lane_of(0);
    if (lane_any(flows)) {
        lane fraction = lane_select(flows, limit / size, lane_of(1)), value[3];
        out->dissipated = lane_keep(flows, s->mu * (*state + limit) * (size - limit));
        for (int k = 0; k < 3; ++k) {
            eps[k] = lane_fma(fraction, deviator[k], mean);
            value[k] = lane_exp(2 * eps[k]);
        }
        lane_symmetric flowed = lane_eigen_compose(&e, value);
        for (int k = 0; k < 6; ++k)
            b->a[k] = lane_select(flows, flowed.a[k], b->a[k]);
    }
    *state = lane_min(size, limit);
    solid_hencky_of(s, eps, tau, out);
    out->tau = lane_eigen_compose(&e, tau);
}
