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

    // Stretch: F_j = -kn (l - l0) n. Shear: F_j = ks (theta / sin theta) / l (d - cos(theta) n), with
    // d - cos(theta) n = (d - n) + (1 - cos(theta)) n.
    lane normal = k->stretch * f.stretch;
    lane stiffness = k->shear * lane_theta_over_sin(LANE_QUARTER * f.apart2); // ks theta/sin theta
    lane shear = stiffness * f.inverse_l;
    bond_elastic elastic = {.along_n = lane_fma(LANE_HALF * shear, f.apart2, -normal),
                            .along_apart = shear};

    // Bending and twisting: M = Im(q_i g conj(q_j)), with g = K t / l0. In the world frame t is
    // -2 rho and, with d halfway between the ends, M has this form:
    lane along = lane3_dot(f.rho, f.d);
    lane over = k->bend_over_twist2 * along;
    lane back = lane_fma(over * along, f.turn, k->bend2 * f.w);
    elastic.moment = lane3_sub_scaled(lane3_scale(over, f.d), back, f.rho);

    // d is not the mean of both ends' directions: the couple d x n = (d - n) x n that turns it
    // towards n acts a little more on one of them.
    lane3 skew = lane3_cross(f.rho, lane3_cross(f.apart, f.n));
    elastic.moment = lane3_add_scaled(elastic.moment, LANE_HALF * f.turn * stiffness, skew);

    lane across2 = lane_max(lane_fnma(along, along, lane3_dot(f.rho, f.rho)), lane_of(0));
    load->normal_force = normal;
    load->shear_force2 = shear * shear * bond_sine2(&f);
    load->bending_moment2 = k->bend2 * k->bend2 * across2; // (16)
    load->twisting_moment = k->twist2 * lane_abs(along);   // (17)
    bond_add_damping(s, &f, &elastic, load);
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
    return LANE_HALF * (k->stretch * k->l0 * f.stretch * f.stretch + k->shear * theta2 +
                        LANE_HALF * (k->bend2 * across2 + k->twist2 * along * along));
}
