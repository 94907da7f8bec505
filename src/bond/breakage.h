// Breakage criteria: stress over strength.                [BDEM21] (17), (18), [IBDEM25] (12), (13)
//
//   sigma = F_n / S + |M_b| r0 / I,   tau = |F_s| / S + |M_t| r0 / J,   I = S r0^2/4, J = S r0^2/2
// The bond breaks when sigma > sigma_c or tau > tau_c.
#pragma once

#include "bond/bond_state.h"

typedef struct bond_stress {
    lane normal; // sigma [Pa]
    lane shear;  // tau [Pa]
} bond_stress;

LANE_INLINE bond_stress bond_stress_from(lane normal_force, lane r0, const bond_load *load)
{
    const double pi = 3.14159265358979323846;
    lane inverse_area = 1.0 / (pi * r0 * r0);
    lane inverse_section = inverse_area / r0; // 1 / (S r0)
    return (bond_stress){normal_force * inverse_area + 4.0 * load->bending_moment * inverse_section,
                         load->shear_force * inverse_area +
                             2.0 * load->twisting_moment * inverse_section};
}

// Signed F_n, tension positive (Potyondy and Cundall): compression does not break.
LANE_INLINE bond_stress bond_stress_tensile(lane r0, const bond_load *load)
{
    return bond_stress_from(load->normal_force, r0, load);
}

// |F_n| as printed in [BDEM21] (17).
LANE_INLINE bond_stress bond_stress_absolute(lane r0, const bond_load *load)
{
    return bond_stress_from(lane_abs(load->normal_force), r0, load);
}
