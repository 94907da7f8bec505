// Breakage criteria: stress over strength.                [BDEM21] (17), (18), [IBDEM25] (12), (13)
//
//   sigma = F_n / S + |M_b| r0 / I,   tau = |F_s| / S + |M_t| r0 / J,   I = S r0^2/4, J = S r0^2/2
// The bond breaks when sigma > sigma_c or tau > tau_c.
#pragma once

#include "laws/bond/bond_state.h"

typedef struct bond_stress {
    lane normal; // sigma [Pa]
    lane shear;  // tau [Pa]
} bond_stress;

LANE_INLINE bond_stress bond_stress_from(lane normal_force, lane r0, const bond_section *k,
                                         const bond_load *load)
{
    lane inverse_area = 1 / ((real)3.14159265358979323846 * r0 * r0);
    lane inverse_section = inverse_area / r0; // 1 / (S r0)
    lane bending = NUMBER(k, BEND2) * lane_sqrt(lane_max(load->bending2, lane_of(0)));
    lane twisting = NUMBER(k, TWIST2) * lane_abs(load->twisting);
    return (bond_stress){normal_force * inverse_area + 4 * bending * inverse_section,
                         lane_sqrt(load->shear_force2) * inverse_area +
                             2 * twisting * inverse_section};
}

// Signed F_n, tension positive (Potyondy and Cundall): compression does not break.
LANE_INLINE bond_stress bond_stress_tensile(lane r0, const bond_section *k, const bond_load *load)
{
    return bond_stress_from(load->normal_force, r0, k, load);
}

// |F_n| as printed in [BDEM21] (17).
LANE_INLINE bond_stress bond_stress_absolute(lane r0, const bond_section *k, const bond_load *load)
{
    return bond_stress_from(lane_abs(load->normal_force), r0, k, load);
}

// The same test without a division or a root, for kernels: F_n + (4 / r0) |M_b| > S sigma_c and
// |F_s| + (2 / r0) |M_t| > S tau_c, with the squares of |M_b| and |F_s| compared.
typedef struct bond_limit {
    lane normal, shear; // S sigma_c, S tau_c; infinite = never      [N]
} bond_limit;

LANE_INLINE lane_mask bond_is_over(lane normal_force, const bond_limit *limit,
                                   const bond_section *k, const bond_load *load)
{
    const lane none = lane_of(0);
    lane normal_left = limit->normal - normal_force;
    lane shear_left = lane_fnma(NUMBER(k, TWIST_WEIGHT), lane_abs(load->twisting), limit->shear);
    lane bending = lane_fnma(normal_left, normal_left, NUMBER(k, BEND_WEIGHT2) * load->bending2);
    lane shearing = lane_fnma(shear_left, shear_left, load->shear_force2);
    return lane_greater(none, lane_min(normal_left, shear_left)) |
           lane_greater(lane_max(bending, shearing), none);
}

// max(sigma / sigma_c, tau / tau_c); 0 with infinite limits.
LANE_INLINE lane bond_ratio(lane normal_force, const bond_limit *limit, const bond_section *k,
                            const bond_load *load)
{
    lane bending = lane_sqrt(lane_max(NUMBER(k, BEND_WEIGHT2) * load->bending2, lane_of(0)));
    lane twisting = NUMBER(k, TWIST_WEIGHT) * lane_abs(load->twisting);
    return lane_max((normal_force + bending) / limit->normal,
                    (lane_sqrt(load->shear_force2) + twisting) / limit->shear);
}
