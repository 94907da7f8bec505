// The force law of Lu et al.                                               [BDEM21] (3)-(16)
//
// Not the gradient of an energy ([RBDEM] supplement 3): for explicit integration only. Agrees with
// the quaternion law to first order in the strain. n here points from i to j, so a stretched bond
// pulls j along -n (the paper's n has the opposite sense; PHYSICS.md 2, slip 8).
#pragma once

#include "bond/bond_state.h"

LANE_INLINE void bond_law_lu(const bond_state *s, bond_load *load)
{
    const bond_section *k = &s->section;
    bond_frame f = bond_frame_of(s);

    lane normal = k->stretch * f.stretch; // (3), (4)

    // (5)-(11): F_shear = G S sin(theta) t. d is the direction of (6): d_i + d_j lies along
    // R(q_c) d0 up to a component along the bending axis, which is of second order. Its couple (10)
    // is what the force does at the bond's middle.
    lane shear = k->shear_force;
    bond_elastic elastic = {.along_n = lane_fma(LANE_HALF * shear, f.apart2, -normal),
                            .along_apart = shear};

    // (12)-(16): rotation vector theta a of q_j relative to q_i, split along and across n.
    lane3 turn = lane3_scale(lane_rotation_factor(lane3_dot(f.rho, f.rho)), f.rho);
    lane twist = lane3_dot(turn, f.n);
    lane3 bend = lane3_sub_scaled(turn, twist, f.n);
    lane k_b = LANE_HALF * k->bend2, k_t = LANE_HALF * k->twist2;
    elastic.moment = lane3_sub_scaled(lane3_scale(-k_b, bend), k_t * twist, f.n);

    load->normal_force = normal;
    load->shear_force2 = shear * shear * bond_sine2(&f);
    load->bending_moment2 = k_b * k_b * lane3_dot(bend, bend);
    load->twisting_moment = k_t * lane_abs(twist);
    bond_add_damping(s, &f, &elastic, load);
}

// The work that Lu's forces store in stretch, shear, bending and twist taken one by one [J]. A
// measure for accounts only: the law has no energy that its forces are the gradient of.
LANE_INLINE lane bond_energy_lu(const bond_state *s)
{
    const bond_section *k = &s->section;
    bond_frame f = bond_frame_of(s);
    lane3 turn = lane3_scale(lane_rotation_factor(lane3_dot(f.rho, f.rho)), f.rho);
    lane twist = lane3_dot(turn, f.n);
    lane bend2 = lane3_dot(turn, turn) - twist * twist;
    return LANE_HALF * k->stretch * k->l0 * (f.stretch * f.stretch) +
           k->shear * (LANE_HALF * f.apart2) +
           LANE_QUARTER * (k->bend2 * bend2 + k->twist2 * (twist * twist));
}
