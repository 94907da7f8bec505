// What a law of material points gives, and what several of them need.
#pragma once

#include "laws/solid/solid_laws.h"
#include "math/lane_eigen.h"
#include "math/lane_log.h"

typedef struct solid_response {
    lane_symmetric tau; // [Pa]
    lane energy;        // [J/m^3]
    // By flowing, as b and the state changed: the mean of the stresses that the step began and ended with, as far as the law
    // knows the former, times plastic strain, less what hardening stores [J/m^3].
    lane spent;
    lane
        stiffness; // of plane waves along the stiffest axis: density at rest times speed squared [Pa]
} solid_response;

LANE_INLINE lane solid_determinant(const lane_symmetric *b)
{
    const lane *a = b->a;
    lane xx = lane_fnma(a[3], a[3], a[1] * a[2]), xy = lane_fnma(a[5], a[2], a[3] * a[4]),
         xz = lane_fnma(a[1], a[4], a[5] * a[3]);
    return lane_fma(a[0], xx, lane_fma(a[5], xy, a[4] * xz));
}
