// psi = mu/2 (tr b - 3 - 2 log J) + lambda/2 log^2 J, tau = mu (b - I) + lambda log J I.
#pragma once

#include "laws/solid/solid_response.h"

LANE_INLINE void solid_neo_hookean(const sherd_solid *s, lane_symmetric *b, lane *state,
                                   solid_response *out)
{
    (void)state;
    out->dissipated = lane_of(0);
    lane log_j = 0.5 * lane_log(solid_determinant(b)),
         trace = (b->a[0] - 1) + (b->a[1] - 1) + (b->a[2] - 1);
    for (int k = 0; k < 3; ++k)
        out->tau.a[k] = lane_fma(lane_of(s->mu), b->a[k] - 1, s->lambda * log_j);
    for (int k = 3; k < 6; ++k)
        out->tau.a[k] = s->mu * b->a[k];
    lane largest = lane_max(b->a[0], lane_max(b->a[1], b->a[2]));
    out->stiffness = s->lambda * (1 - log_j) + s->mu * (1 + largest);
    out->energy = 0.5 * s->mu * (trace - 2 * log_j) + 0.5 * s->lambda * log_j * log_j;
}
