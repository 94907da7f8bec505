// A weakly compressible fluid: p = K / gamma (J^-gamma - 1), tau = -p J I,
// psi = K / gamma ((J^(1 - gamma) - 1) / (gamma - 1) + J - 1). b has no deviator: b = J^(2/3) I.
#pragma once

#include "laws/solid/solid_response.h"

LANE_INLINE void solid_fluid(const sherd_solid *s, lane_symmetric *b, lane *state,
                             solid_response *out)
{
    (void)state;
    out->dissipated = lane_of(0);
    lane log_j = 0.5 * lane_log(solid_determinant(b)), j = lane_exp(log_j);
    lane power = lane_exp(-s->exponent * log_j), even = lane_exp(log_j * (2.0 / 3.0));
    lane stress = -(s->lambda / s->exponent) * (power - 1) * j;
    for (int k = 0; k < 3; ++k) {
        b->a[k] = even, b->a[k + 3] = lane_of(0);
        out->tau.a[k] = stress, out->tau.a[k + 3] = lane_of(0);
    }
    out->stiffness = s->lambda * power * j;
    out->energy = s->lambda / s->exponent * ((power * j - 1) / (s->exponent - 1) + j - 1);
}
