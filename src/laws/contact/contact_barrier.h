// A barrier that prevents interpenetration: -1/2 k s^2 ln(1 - s/w), in implicit steps only, instead
// of a spring (potential_barrier.h) or in addition to one.
//                                      [RBDEM] (30) with docs/theory/physics.md 2: k_c pi r / 2 is 1/2 k
//   dV/ds = -k s ln(1 - s/w) + 1/2 k s^2 / (w - s)
//
// A single linearised step evaluates it wherever elements are predicted, also behind the barrier: there a
// `limit` makes it finite, the fraction of its width from which it continues with constant tangent.
#pragma once

#include "laws/contact/contact_potentials.h"

#include <math.h>

// Adds the barrier of width w to `value`; w = 0 [m]: no barrier. `limit` 0: infinite from s = w on.
static inline void contact_add_barrier(double stiffness, double width, double limit, double s,
                                       contact_potential_value *value)
{
    if (width <= 0.0 || s <= 0.0) return;
    if (limit > 0.0 && s > limit * width) {
        contact_potential_value at = {0.0, 0.0, 0.0};
        contact_add_barrier(stiffness, width, 0.0, limit * width, &at);
        double beyond = s - limit * width;
        value->energy += at.energy + beyond * (at.force + 0.5 * at.tangent * beyond);
        value->force += at.force + at.tangent * beyond;
        value->tangent += at.tangent;
        return;
    }
    double remaining = width - s, half = 0.5 * stiffness;
    if (!(remaining > 0.0)) {
        *value = (contact_potential_value){INFINITY, 0.0, 0.0};
        return;
    }
    double log_remaining = log1p(-s / width), ratio = s / remaining;
    value->energy -= half * s * s * log_remaining;
    value->force += half * s * (ratio - 2.0 * log_remaining);
    value->tangent += half * (ratio * ratio + 4.0 * ratio - 2.0 * log_remaining);
}
