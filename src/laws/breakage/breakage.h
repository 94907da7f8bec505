// Breakage criteria: stress over strength.                [BDEM21] (17), (18), [IBDEM25] (12), (13)
//
//   sigma = n(F_n) / S + w_b |M_b| r0 / I,   tau = w_s |F_s| / S + w_t |M_t| r0 / J
//   I = S r0^2/4,  J = S r0^2/2,  n(F) = F or |F|
// The bond breaks when sigma > sigma_c or tau > tau_c. Criteria differ in n and the weights
// (sherd/laws.h), which are data: kernels are compiled once for all of them.
//
// Criteria on the stress of elements (hydrostatic, principal) have another form. Their bonds have
// infinite limits here and are broken by a separate pass over elements
// (models/bonded/element_stress/element_criterion.h).
#pragma once

#include "laws/bond/bond_state.h"

#include <sherd/laws.h>

typedef struct bond_stress {
    lane normal; // sigma [Pa]
    lane shear;  // tau [Pa]
} bond_stress;

// The terms of both sums [Pa].
typedef struct bond_stress_terms {
    lane along, bending;   // of sigma
    lane across, twisting; // of tau
} bond_stress_terms;

LANE_INLINE bond_stress_terms bond_stress_terms_of(const sherd_breakage_info *criterion, lane r0,
                                                   const bond_section *k, const bond_load *load)
{
    lane inverse_area = 1 / ((real)3.14159265358979323846 * r0 * r0);
    lane inverse_section = inverse_area / r0; // 1 / (S r0)
    lane normal = criterion->magnitude ? lane_abs(load->normal_force) : load->normal_force;
    lane bending = NUMBER(k, BEND2) * lane_sqrt(lane_max(load->bending2, lane_of(0)));
    lane twisting = NUMBER(k, TWIST2) * lane_abs(load->twisting);
    lane shear = (real)criterion->shear * lane_sqrt(load->shear_force2);
    return (bond_stress_terms){
        normal * inverse_area, 4 * ((real)criterion->bending * bending) * inverse_section,
        shear * inverse_area, 2 * ((real)criterion->twisting * twisting) * inverse_section};
}

LANE_INLINE bond_stress bond_stress_of(const bond_stress_terms *terms)
{
    return (bond_stress){terms->along + terms->bending, terms->across + terms->twisting};
}

// The same test without a division or a root, for kernels: n(F_n) + w_b (4 / r0) |M_b| > S sigma_c and
// |F_s| + w_t/w_s (2 / r0) |M_t| > S tau_c / w_s, with the squares of |M_b| and |F_s| compared.
typedef struct bond_limit {
    lane normal, shear; // S sigma_c, S tau_c / w_s; infinite = never [N]
} bond_limit;

// Constants of classes include the weights (bond_classes.c); for other bonds they are applied here.
typedef struct bond_criterion {
    lane_bits normal_bits; // bits of the normal force to use: all, or all except the sign
    real bending2;         // w_b^2
    real twisting;         // w_t / w_s
} bond_criterion;

LANE_INLINE bond_criterion bond_criterion_of(const sherd_breakage_info *info)
{
    const lane_bits all = -1, sign = (lane_bits)(1ULL << (8 * sizeof(lane_bits) - 1));
    return (bond_criterion){.normal_bits = info->magnitude ? all ^ sign : all,
                            .bending2 = (real)(info->bending * info->bending),
                            .twisting = (real)(info->twisting / info->shear)};
}

LANE_INLINE lane bond_weighted(const bond_section *k, real weight, lane number)
{
    return k->kind == BOND_SECTION_CLASS ? number : weight * number;
}

LANE_INLINE lane_mask bond_is_over(const bond_criterion *c, const bond_limit *limit,
                                   const bond_section *k, const bond_load *load)
{
    const lane none = lane_of(0);
    lane normal_reserve = limit->normal - lane_masked_bits(load->normal_force, c->normal_bits);
    lane twist_weight = bond_weighted(k, c->twisting, NUMBER(k, TWIST_WEIGHT));
    lane bend_weight2 = bond_weighted(k, c->bending2, NUMBER(k, BEND_WEIGHT2));
    lane shear_reserve = lane_fnma(twist_weight, lane_abs(load->twisting), limit->shear);
    lane bending = lane_fnma(normal_reserve, normal_reserve, bend_weight2 * load->bending2);
    lane shearing = lane_fnma(shear_reserve, shear_reserve, load->shear_force2);
    return lane_greater(none, lane_min(normal_reserve, shear_reserve)) |
           lane_greater(lane_max(bending, shearing), none);
}

// max(sigma / sigma_c, tau / tau_c); 0 if limits are infinite.
LANE_INLINE lane bond_ratio(const bond_criterion *c, const bond_limit *limit, const bond_section *k,
                            const bond_load *load)
{
    lane normal = lane_masked_bits(load->normal_force, c->normal_bits);
    lane twist_weight = bond_weighted(k, c->twisting, NUMBER(k, TWIST_WEIGHT));
    lane bend_weight2 = bond_weighted(k, c->bending2, NUMBER(k, BEND_WEIGHT2));
    lane bending = lane_sqrt(lane_max(bend_weight2 * load->bending2, lane_of(0)));
    lane twisting = twist_weight * lane_abs(load->twisting);
    return lane_max((normal + bending) / limit->normal,
                    (lane_sqrt(load->shear_force2) + twisting) / limit->shear);
}
