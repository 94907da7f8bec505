// The quaternion energy law, Sherd's default.             [IBDEM25] (7)-(11), corrected: PHYSICS.md 2
//
//   V = 1/2 kn (l - l0)^2 + 1/2 ks theta^2
//       + 1/(2 l0) [ E I (|t|^2 - (t.d0)^2) + G J (t.d0)^2 ]
//   kn = E S / l0,  ks = G S l0,  theta = angle(n, d),  t = 2 Im(conj(q_j) q_i)
//
// Loads are the exact gradient. With q_c = (q_i + q_j) / |q_i + q_j| an increment
// (dtheta_i, dtheta_j) turns d by
//   psi = (dtheta_i + dtheta_j)/2 + (dtheta_j - dtheta_i) x rho / (2 (1 + w)),
// and t changes by Im(conj(q_j) (dtheta_i - dtheta_j) q_i), which gives the torques below.
#pragma once

#include "bond/bond_state.h"

LANE_INLINE void bond_law_quaternion(const bond_state *s, bond_load *load)
{
    const bond_section *k = &s->section;
    bond_frame f = bond_frame_of(s);

    // Stretch: F_j = -kn (l - l0) n.
    lane normal = k->stretch * f.elongation;

    // Shear: F_j = ks (theta / sin theta) / l (d - cos(theta) n), and a couple m that turns d
    // towards n, shared by both ends: d x n = (d - n) x n.
    lane stiffness =
        k->shear * lane_theta_over_sin(LANE_QUARTER * f.apart2); // ks theta / sin theta
    lane shear = stiffness * f.inverse_l;
    load->force_j = lane3_sub_scaled(lane3_scale(shear, bond_sideways(&f)), normal, f.n);
    lane3 couple = lane3_scale(stiffness, lane3_cross(f.apart, f.n));

    // Bending and twisting: T_j = M = Im(q_i g conj(q_j)), T_i = -M, with g = K t / l0. In the world
    // frame t is -2 rho and, with d halfway between the ends, M has this form:
    lane along = lane3_dot(f.rho, f.d);
    lane3 d_tilted = lane3_sub_scaled(f.d, along * f.turn, f.rho);
    lane bend2 = 2 * k->bend, twist2 = 2 * k->twist;
    lane3 moment =
        lane3_sub_scaled(lane3_scale((bend2 - twist2) * along, d_tilted), bend2 * f.w, f.rho);

    lane3 half = lane3_scale(lane_of(0.5), couple);
    lane3 skew = lane3_scale(LANE_HALF * f.turn, lane3_cross(f.rho, couple));
    load->torque_i = lane3_sub(lane3_sub(half, skew), moment);
    load->torque_j = lane3_add(lane3_add(half, skew), moment);

    lane across2 = lane_max(lane_fnma(along, along, lane3_dot(f.rho, f.rho)), lane_of(0));
    load->normal_force = normal;
    load->shear_force2 = shear * shear * bond_sine2(&f);
    load->bending_moment2 = bend2 * bend2 * across2;  // (16)
    load->twisting_moment = twist2 * lane_abs(along); // (17)
    bond_add_damping(s, &f, load);
}

// V of the same bond [J].
LANE_INLINE lane bond_energy_quaternion(const bond_state *s)
{
    const bond_section *k = &s->section;
    bond_frame f = bond_frame_of(s);
    lane ratio = lane_theta_over_sin(LANE_QUARTER * f.apart2);
    lane theta2 = ratio * ratio * bond_sine2(&f);
    lane along = 2 * lane3_dot(f.rho, f.d); // |t . d0|
    lane across2 = 4 * lane3_dot(f.rho, f.rho) - along * along;
    return LANE_HALF * (k->stretch * f.elongation * f.elongation + k->shear * theta2 +
                        k->bend * across2 + k->twist * along * along);
}
