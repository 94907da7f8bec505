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

    lane normal = k->stretch * f.elongation; // (3), (4)

    // (5)-(11): F_shear = G S sin(theta) t. d is the direction of (6): d_i + d_j lies along
    // R(q_c) d0 up to a component along the bending axis, which is of second order.
    lane3 shear = lane3_scale(k->shear * k->inverse_l0, bond_sideways(&f));
    lane3 couple = lane3_scale(lane_of(0.5), lane3_cross(shear, f.b)); // (10), on each end

    // (12)-(16): rotation vector theta a of q_j relative to q_i, split along and across n.
    lane3 turn = lane3_scale(lane_rotation_factor(lane3_dot(f.rho, f.rho)), f.rho);
    lane twist = lane3_dot(turn, f.n);
    lane3 bend = lane3_sub_scaled(turn, twist, f.n);
    lane3 moment = lane3_add_scaled(lane3_scale(k->bend, bend), k->twist * twist, f.n);

    load->force_j = lane3_sub_scaled(shear, normal, f.n);
    load->torque_i = lane3_add(couple, moment);
    load->torque_j = lane3_sub(couple, moment);
    load->normal_force = normal;
    load->shear_force2 = lane3_dot(shear, shear);
    load->bending_moment2 = k->bend * k->bend * lane3_dot(bend, bend);
    load->twisting_moment = k->twist * lane_abs(twist);
    bond_add_damping(s, &f, load);
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
    return LANE_HALF * k->stretch * (f.elongation * f.elongation) +
           k->shear * (LANE_HALF * f.apart2) + LANE_HALF * k->bend * bend2 +
           LANE_HALF * k->twist * (twist * twist);
}
