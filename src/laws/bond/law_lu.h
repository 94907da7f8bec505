// The force law of Lu et al.                                               [BDEM21] (3)-(16)
//
// It is not the gradient of an energy ([RBDEM] supplement 3), so it is for explicit integration
// only. It agrees with the quaternion law to first order in the strain. Here n points from i to j,
// so a stretched bond pulls j along -n (in the paper n is opposite; docs/theory/physics.md 2, slip
// 8).
#pragma once

#include "laws/bond/bond_state.h"
#include "laws/bond/bond_stiffness.h"

LANE_INLINE void bond_law_lu(const bond_state *s, const bond_frame *f, lane_series *series,
                             bond_elastic *elastic, bond_load *load)
{
    const bond_section *k = &s->section;
    lane normal = NUMBER(k, STRETCH) * f->stretch; // (3), (4)

    // (5)-(11): F_shear = G S sin(theta) t. d is the direction of (6): d_i + d_j lies along
    // R(q_c) d0 up to a component along the bending axis, which is of second order. Its couple (10)
    // is that of the force, which acts at the bond's middle.
    lane shear = NUMBER(k, SHEAR_FORCE) * f->fold_fading;
    elastic->force_n = lane_fma(LANE_HALF * shear, f->shear_vector2, -normal);
    elastic->force_shear = shear;

    // (12)-(16): rotation vector theta a = factor rho of q_j relative to q_i, split along and
    // across n: M = -E I / l0 across - G J / l0 along n.
    lane factor = lane_rotation_factor(lane3_dot(f->rho, f->rho), series);
    lane twist = factor * lane3_dot(f->rho, f->n);
    elastic->moment_n = LANE_HALF * NUMBER(k, BEND_OVER_TWIST2) * twist;
    elastic->moment_shear = lane_of(0);
    elastic->moment_rho = LANE_HALF * NUMBER(k, BEND2) * factor;

    lane3 bend = lane3_sub_scaled(lane3_scale(factor, f->rho), twist, f->n);
    load->normal_force = normal;
    load->shear_force2 = shear * shear * bond_sine2(f);
    load->bending2 = LANE_QUARTER * lane3_dot(bend, bend);
    load->twisting = LANE_HALF * twist;
}

// The work that Lu's forces store in stretch, shear, bending and twist, each considered separately
// [J]. It is used only for accounts: the forces are not the gradient of an energy.
LANE_INLINE lane bond_energy_lu(const bond_state *s)
{
    const bond_section *k = &s->section;
    lane_series series = {.short_only = false};
    bond_frame f = bond_frame_of(s);
    lane3 rotation = lane3_scale(lane_rotation_factor(lane3_dot(f.rho, f.rho), &series), f.rho);
    lane twist = lane3_dot(rotation, f.n);
    lane bend2 = lane3_dot(rotation, rotation) - twist * twist;
    return LANE_HALF * NUMBER(k, STRETCH) * (2 * NUMBER(k, HALF_L0)) * (f.stretch * f.stretch) +
           NUMBER(k, HALF_SHEAR) * f.fold_fading * f.shear_vector2 +
           LANE_QUARTER * (NUMBER(k, BEND2) * bend2 + NUMBER(k, TWIST2) * (twist * twist));
}

static inline sherd_bond_moduli bond_moduli_lu(const sherd_material_def *material, double E,
                                               double G)
{
    return sherd_bond_corrected_moduli(material, 1.0, E, G);
}

static inline double bond_stable_tension_lu(const sherd_bond_moduli *m)
{
    (void)m;
    return INFINITY;
}
