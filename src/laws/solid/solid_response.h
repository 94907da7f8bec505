// Output of the laws of material points, and functions that several of them use.
#pragma once

#include "laws/solid/solid_laws.h"
#include "math/lane_eigen.h"
#include "math/lane_log.h"

typedef struct solid_response {
    lane_symmetric tau; // [Pa]
    lane energy;        // [J/m^3]
    // Plastic dissipation of the step: the mean of the stresses at its start (as far as the law
    // knows it) and end, times the plastic strain increment, minus the energy stored by hardening
    // [J/m^3].
    lane dissipated;
    lane
        // of plane waves along the stiffest axis: reference density times speed squared [Pa]
        stiffness;
} solid_response;

LANE_INLINE lane solid_determinant(const lane_symmetric *b)
{
    const lane *a = b->a;
    lane xx = lane_fnma(a[3], a[3], a[1] * a[2]), xy = lane_fnma(a[5], a[2], a[3] * a[4]),
         xz = lane_fnma(a[1], a[4], a[5] * a[3]);
    return lane_fma(a[0], xx, lane_fma(a[5], xy, a[4] * xz));
}
