// The quaternion energy law, Sherd's default.             [IBDEM25] (7)-(11), corrected: docs/theory/physics.md 2
//
//   V = 1/2 kn (l - l0)^2 + 1/2 ks h theta^2
//       + 1/(2 l0) [ E I (|t|^2 - (t.d0)^2) + G J (t.d0)^2 ]
//   kn = E S / l0,  ks = G S l0,  theta = angle(n, d),  t = 2 Im(conj(q_j) q_i)
//
// h = 1 up to a third of a turn between the ends (bond_fold_fading), as in the papers.
//
// Loads are the exact gradient. With q_c = (q_i + q_j) / |q_i + q_j| an increment
// (dtheta_i, dtheta_j) turns d by
//   psi = (dtheta_i + dtheta_j)/2 + (dtheta_j - dtheta_i) x rho / (2 (1 + w)),
// t changes by Im(conj(q_j) (dtheta_i - dtheta_j) q_i) and w by (dtheta_i - dtheta_j).rho / 2, which
// gives the torques below.
#pragma once

#include "laws/bond/bond_state.h"
#include "laws/bond/bond_stiffness.h"
#include "laws/bond/bond_tangent.h"

LANE_INLINE void bond_law_quaternion(const bond_state *s, const bond_frame *f, lane_series *series,
                                     bond_elastic *elastic, bond_load *load)
{
    const bond_section *k = &s->section;

    // Stretch: F_j = -kn (l - l0) n. Shear: F_j = ks (theta / sin theta) / l (d - cos(theta) n), with
    // d - cos(theta) n = (d - n) + (1 - cos(theta)) n.
    lane normal = NUMBER(k, STRETCH) * f->stretch;
    lane ratio = lane_theta_over_sin(LANE_QUARTER * f->shear_vector2, series);
    lane half_stiffness = NUMBER(k, HALF_SHEAR) * f->fold_fading * ratio;
    lane half_shear = half_stiffness * f->inverse_l;
    elastic->force_n = lane_fma(half_shear, f->shear_vector2, -normal);
    elastic->force_shear = half_shear + half_shear;

    // Bending and twisting: M = Im(q_i g conj(q_j)), with g = K t / l0. In the world frame t is -2
    // rho and, with d = n + (d - n) halfway between the ends, M is over d - back rho. As d is not
    // the mean of both ends' directions, the couple d x n = (d - n) x n that turns it towards n
    // acts slightly more on one of them, by skew rho x ((d - n) x n).
    lane rho_n = lane3_dot(f->rho, f->n), rho_shear = lane3_dot(f->rho, f->shear_vector);
    lane along = rho_n + rho_shear; // rho.d
    lane over = NUMBER(k, BEND_OVER_TWIST2) * along;
    lane skew = half_stiffness * f->turn;
    elastic->moment_n = lane_fnma(skew, rho_shear, over);
    elastic->moment_shear = lane_fma(skew, rho_n, over);
    elastic->moment_rho = lane_fma(over * along, f->turn, NUMBER(k, BEND2) * f->w);

    lane shear = elastic->force_shear, sine2 = bond_sine2(f);
    if (!series->short_only) {
        lane fading = f->fold_fading_slope * (NUMBER(k, HALF_SHEAR) * ratio * ratio) * sine2;
        elastic->moment_rho = lane_fnma(lane_of(LANE_HALF), fading, elastic->moment_rho);
    }
    load->normal_force = normal;
    load->shear_force2 = shear * shear * sine2;
    load->bending2 = lane_fnma(along, along, lane3_dot(f->rho, f->rho)); // (16)
    load->twisting = along;                                              // (17)
}

// Least fraction of the shear stiffness: below it the energy is far below rounding, and the square
// of the force underflows to 0.
static const real MIN_FADING = (real)1e-20;

// V of the same bond [J], from its frame and load.
LANE_INLINE lane bond_potential_quaternion(const bond_state *s, const bond_frame *f,
                                           const bond_load *load)
{
    const bond_section *k = &s->section;
    lane ks2 = 2 * NUMBER(k, HALF_SHEAR) * f->inverse_l; // |F_s| = ks h theta / l
    lane stretching = 2 * NUMBER(k, HALF_L0) * NUMBER(k, STRETCH) * f->stretch * f->stretch;
    lane fading = lane_max(f->fold_fading, lane_of(MIN_FADING));
    lane shearing = load->shear_force2 / (ks2 * f->inverse_l * fading);
    lane turning = 2 * (NUMBER(k, BEND2) * load->bending2 +
                        NUMBER(k, TWIST2) * load->twisting * load->twisting);
    return LANE_HALF * (stretching + shearing + turning);
}

// V of the same bond [J].
LANE_INLINE lane bond_energy_quaternion(const bond_state *s)
{
    const bond_section *k = &s->section;
    lane_series series = {.short_only = false};
    bond_frame f = bond_frame_of(s);
    lane ratio = lane_theta_over_sin(LANE_QUARTER * f.shear_vector2, &series);
    lane theta2 = ratio * ratio * bond_sine2(&f);
    lane along = 2 * (lane3_dot(f.rho, f.n) + lane3_dot(f.rho, f.shear_vector)); // |t . d0|
    lane across2 = 4 * lane3_dot(f.rho, f.rho) - along * along;
    return LANE_HALF *
           (NUMBER(k, STRETCH) * (2 * NUMBER(k, HALF_L0)) * f.stretch * f.stretch +
            2 * NUMBER(k, HALF_SHEAR) * f.fold_fading * theta2 +
            LANE_HALF * (NUMBER(k, BEND2) * across2 + NUMBER(k, TWIST2) * along * along));
}

enum { bond_symmetry_quaternion = BOND_ABOUT_DIRECTION };

// Across the bond ks / l^2 resists: theta = displacement / l.
LANE_INLINE bond_tangent bond_tangent_quaternion(const bond_reference_stiffness *k, lane inverse,
                                                 bool tension)
{
    bond_tangent t = {.along = k->along, .bend = k->bend, .twist_over = k->twist_over};
    t.across = k->shear * inverse;
    if (tension) {
        lane stretched = 1 - k->half_l0 * lane_sqrt(inverse);
        t.pull = k->tension * lane_max(stretched, lane_of(0));
    }
    return t;
}

static inline void bond_stiffness_quaternion(double x, sherd_bond_stiffness *k)
{
    k->shear = k->shear * x * x;
}

static inline sherd_bond_moduli bond_moduli_quaternion(const sherd_material_def *material, double E,
                                                       double G)
{
    return sherd_bond_corrected_moduli(material, 1.0, E, G);
}

static inline double bond_stable_tension_quaternion(const sherd_bond_moduli *m)
{
    (void)m;
    return INFINITY;
}
