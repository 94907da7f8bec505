// Softening bonds: the energy of breaking a bond does not depend on its length.
// docs/theory/physics.md 3
//
// The opening of a bond is the ratio of stress to strength that it would have if undamaged: 1 at
// its strength. In tension it is the elongation over w_0 = sigma_c l0 / E. Beyond 1 the traction
// falls linearly to zero at w_c = 2 G_f / sigma_c, and the largest opening reached so far, u,
// determines the remaining stiffness:
//
//   traction                         u_c = w_c / w_0 = 2 E G_f / (sigma_c^2 l0)
//   sigma_c |   /\                   integrity = (u_c - u) / (u (u_c - 1)),  1 <= u <= u_c
//           |  /   \                 load = integrity x elastic load: back to the origin when it is unloaded
//           | /  /   \               energy that is gone with it, of a bond pulled: (u - 1) / (u_c - 1) G_f S
//           |/ /       \             .
//           +---------------> w      Pressure along the bond is left as it is: a closed crack bears it.
//            0  w_0     w_c
//
// If u_c <= 1, the bond stores more than G_f S at its strength: it breaks without softening.
//
// This holds for tension, where S is the crack area that the bond represents (bond_solid.c). A
// crack crosses bonds at all angles to its normal. If each of them dissipated as much as a bond in
// tension, or more (sheared bonds store more at their strength), the energy of a crack would grow
// with the number of bonds it crosses at an angle. So a bond that opens at an angle phi to its
// axis, and at psi in the plane of both stress ratios,
//
//   tan phi = shear strain / strain along,  tan psi = (tau / tau_c) / (sigma / sigma_c),
//
// dissipates max(cos^2 phi, sin^2 psi, 1/2) G_f S: the whole in pure tension or shear, less in
// between. At its strength it stores V / ratio^2, where V is the energy that it would store now if
// undamaged, so softening ends at another opening:
//
//   c = max(cos^2 phi, sin^2 psi, 1/2) G_f S ratio^2 / V
//
// or at once if this is below 1. The history of a bond is stored as the opening of a bond in
// tension with the same integrity: each state requires an opening, and the largest one counts.
#pragma once

#include "laws/breakage/breakage.h"

LANE_INLINE lane bond_integrity(lane opening, lane critical)
{
    lane u = lane_min(lane_max(opening, lane_of(1)), critical);
    return (critical - u) / (u * (critical - 1));
}

// Divisions take longer than everything else about a softening bond: quotients are compared by
// products and divided once.
typedef struct bond_quotient {
    lane over, under; // >= 0
} bond_quotient;

LANE_INLINE bond_quotient bond_larger_quotient(bond_quotient a, bond_quotient b)
{
    lane_mask first = lane_greater(a.over * b.under, b.over * a.under);
    return (bond_quotient){lane_select(first, a.over, b.over),
                           lane_select(first, a.under, b.under)};
}

// of^2 / (of^2 + other^2); 0 / 0 where both are 0.
LANE_INLINE bond_quotient bond_squared_fraction(lane of, lane other)
{
    return (bond_quotient){of * of, of * of + other * other};
}

// The quantities that the criterion compares with its limits, before division by the limits [N].
typedef struct bond_demand {
    lane normal, shear;
} bond_demand;

LANE_INLINE bond_demand bond_demand_of(const bond_criterion *c, const bond_section *k,
                                       const bond_load *load)
{
    lane bend_weight2 = bond_weighted(k, c->bending2, NUMBER(k, BEND_WEIGHT2));
    lane twist_weight = bond_weighted(k, c->twisting, NUMBER(k, TWIST_WEIGHT));
    return (bond_demand){lane_masked_bits(load->normal_force, c->normal_bits) +
                             lane_sqrt(lane_max(bend_weight2 * load->bending2, lane_of(0))),
                         lane_sqrt(load->shear_force2) + twist_weight * lane_abs(load->twisting)};
}

// A strain that no bond reaches, for strengths that are infinite.
static const real BOND_UNLIMITED_STRAIN = (real)1e3;

// Limits made finite: squares of ratios to them are finite in single precision, too.
LANE_INLINE bond_limit bond_finite_limit(const bond_section *k, const bond_limit *limit)
{
    return (bond_limit){lane_min(limit->normal, BOND_UNLIMITED_STRAIN * NUMBER(k, STRETCH)),
                        lane_min(limit->shear, BOND_UNLIMITED_STRAIN * NUMBER(k, SHEAR_FORCE))};
}

// max(cos^2 phi, sin^2 psi), from ratios of stress to strength; 0 / 0 without a load. `skew` is tan
// phi / tan psi.
LANE_INLINE bond_quotient bond_opening_fraction(lane along, lane shear, lane skew)
{
    return bond_larger_quotient(bond_squared_fraction(along, skew * shear),
                                bond_squared_fraction(shear, along));
}

// The proportional strain path through a state.
typedef struct bond_ray {
    lane ratio;    // of stress to strength, if undamaged
    lane critical; // ratio at which it breaks; 1: without softening
} bond_ray;

// The divisor of bonds without a load.
#if defined(SHERD_SINGLE)
static const real BOND_NOTHING = 1e-37F;
#else
static const real BOND_NOTHING = 1e-200;
#endif

// `critical` is the critical opening in tension, `energy` the part of the undamaged bond's energy
// that softening reduces [J].
LANE_INLINE bond_ray bond_ray_of(const bond_criterion *c, const bond_section *k,
                                 const bond_limit *limits, const bond_load *load, lane energy,
                                 lane critical)
{
    bond_limit limit = bond_finite_limit(k, limits);
    bond_demand demand = bond_demand_of(c, k, load);
    lane along = lane_max(demand.normal, lane_of(0)) / limit.normal;
    lane shear = demand.shear / limit.shear, ratio = lane_max(along, shear);
    lane skew = limit.shear * NUMBER(k, STRETCH) / (limit.normal * NUMBER(k, SHEAR_FORCE));
    bond_quotient fraction = bond_opening_fraction(along, shear, skew);
    // The fracture energy in tension, G_f S, is `critical` times the energy stored at the strength.
    // Both energies are multiplied by E S.
    lane pulled = NUMBER(k, HALF_L0) * limit.normal * limit.normal;
    lane stored = lane_max(energy * NUMBER(k, STRETCH), critical * pulled * (real)1e-12);
    lane taken = lane_max(fraction.over, LANE_HALF * fraction.under) /
                 lane_max(fraction.under, lane_of(BOND_NOTHING));
    lane ray =
        critical * taken * (ratio * ratio * pulled / lane_max(stored, lane_of(BOND_NOTHING)));
    // A bond in pure bending stores a quarter; beyond that, pressure would hide most of the energy.
    return (bond_ray){ratio, lane_min(lane_max(ray, lane_of(1)), 4 * critical)};
}

// The ratio at which the bond has softened to `integrity`.
LANE_INLINE lane bond_ray_opening(const bond_ray *ray, lane integrity)
{
    return ray->critical / (1 + integrity * (ray->critical - 1));
}

// Stress over the present strength of a bond that has softened to `integrity`: the ratio over that
// opening.
LANE_INLINE lane bond_softened_ratio(const bond_ray *ray, lane integrity)
{
    return ray->ratio * (1 + integrity * (ray->critical - 1)) / ray->critical;
}

// The opening that the state requires, as that of a bond in tension: critical / (1 + left (critical
// - 1)), where the path gives the remaining integrity left = (c - u) / (u (c - 1)).
LANE_INLINE lane bond_required_opening(const bond_ray *ray, lane critical)
{
    lane u = lane_min(lane_max(ray->ratio, lane_of(1)), ray->critical);
    lane undamaged = (ray->critical - u) / (u * lane_max(ray->critical - 1, lane_of((real)1e-9)));
    lane softened = critical / lane_fma(undamaged, critical - 1, lane_of(1));
    return lane_select(lane_greater(lane_of(1), ray->ratio), ray->ratio, softened);
}

// Compressive force along a bond, <= 0 [N], and the energy that it stores [J].
LANE_INLINE lane bond_pressure(const bond_section *k, const bond_frame *f)
{
    return NUMBER(k, STRETCH) * lane_min(f->stretch, lane_of(0));
}

LANE_INLINE lane bond_pressure_energy(const bond_section *k, const bond_frame *f)
{
    return NUMBER(k, HALF_L0) * bond_pressure(k, f) * f->stretch;
}

// Error of time integration in a step of dt in which the bond closes or opens [J]. Its axial force
// has a kink at the reference length, where the trapezoidal rule is off by k (1 - integrity) x_1
// x_0 / 2, with the elongations x_0 before and x_1 after, and the sign of x_1.
LANE_INLINE lane bond_closing_loss(const bond_section *k, const bond_frame *f, lane integrity,
                                   const bond_motion *m, lane dt)
{
    lane half_l0 = NUMBER(k, HALF_L0), now = f->stretch;
    lane before = now - dt * lane3_dot(f->n, m->v_ij) * NUMBER(k, INVERSE_L0);
    lane missed = half_l0 * NUMBER(k, STRETCH) * (1 - integrity) * lane_abs(now) * before;
    return lane_select(lane_greater(lane_of(0), now * before), missed, lane_of(0));
}

// Reduces an energy and a load, including damping, to those of the softened bond. Compression
// causes no couple.
LANE_INLINE lane bond_softened_energy(lane integrity, lane energy, lane pressure_energy)
{
    return lane_fma(integrity, energy, (1 - integrity) * pressure_energy);
}

LANE_INLINE void bond_soften(const bond_frame *f, lane integrity, lane pressure, bond_load *load)
{
    load->force_j =
        lane3_sub_scaled(lane3_scale(integrity, load->force_j), (1 - integrity) * pressure, f->n);
    load->torque_i = lane3_scale(integrity, load->torque_i);
    load->torque_j = lane3_scale(integrity, load->torque_j);
    load->damping_power = integrity * load->damping_power;
}

// Rate of change, by motion, of the energy that softening reduces, without compression, from the
// elastic load [W].
LANE_INLINE lane bond_softened_rate(const bond_frame *f, lane pressure, const bond_elastic *elastic,
                                    const bond_motion *m, const bond_rate *rate)
{
    lane force_n = lane3_dot(f->n, rate->shift),
         force_shear = lane3_dot(f->shear_vector, rate->shift);
    lane power = lane_fma(elastic->force_n, force_n, elastic->force_shear * force_shear);
    power = lane_fma(elastic->moment_n, lane3_dot(f->n, rate->rotation), power);
    power = lane_fma(elastic->moment_shear, lane3_dot(f->shear_vector, rate->rotation), power);
    power = lane_fnma(elastic->moment_rho, lane3_dot(f->rho, rate->rotation), power);
    return -power - pressure * lane3_dot(f->n, m->v_ij);
}
