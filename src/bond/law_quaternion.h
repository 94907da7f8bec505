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
    const double pi = 3.14159265358979323846;
    bond_frame f = bond_frame_of(s);
    lane inverse_l0 = 1.0 / s->l0;
    lane area = pi * s->r0 * s->r0;
    lane EI = 0.25 * s->E * area * s->r0 * s->r0;
    lane GJ = 0.5 * s->G * area * s->r0 * s->r0;

    // Stretch: F_j = -kn (l - l0) n.
    lane normal = s->E * area * inverse_l0 * (f.l - s->l0);

    // Shear: F_j = ks (theta / sin theta) / l (d - cos(theta) n), and a couple m that turns d
    // towards n, shared by both ends.
    lane c = lane3_dot(f.n, f.d);
    lane stiffness = s->G * area * s->l0 * lane_theta_over_sin(c); // ks theta / sin theta
    lane3 sideways = lane3_add_scaled(f.d, -c, f.n);               // length sin theta
    lane shear = stiffness * f.inverse_l;
    load->force_j = lane3_add_scaled(lane3_scale(shear, sideways), -normal, f.n);
    lane3 couple = lane3_scale(stiffness, lane3_cross(f.d, f.n));

    // Bending and twisting: T_j = M = Im(q_i g conj(q_j)), T_i = -M, with g = K t / l0. In the world
    // frame t is -2 rho and, with d halfway between the ends, M has this form:
    lane along = lane3_dot(f.rho, f.d);
    lane turn = 1.0 / (1.0 + f.w);
    lane3 d_tilted = lane3_add_scaled(f.d, -along * turn, f.rho);
    lane two_over_l0 = 2.0 * inverse_l0;
    lane3 moment = lane3_add_scaled(lane3_scale(-two_over_l0 * EI * f.w, f.rho),
                                    -two_over_l0 * (GJ - EI) * along, d_tilted);

    lane3 half = lane3_scale(lane_of(0.5), couple);
    lane3 skew = lane3_scale(0.5 * turn, lane3_cross(f.rho, couple));
    load->torque_i = lane3_sub(lane3_sub(half, skew), moment);
    load->torque_j = lane3_add(lane3_add(half, skew), moment);

    lane rho2 = lane3_dot(f.rho, f.rho);
    lane across2 = rho2 - along * along;
    across2 = lane_select(lane_greater(across2, lane_of(0.0)), across2, lane_of(0.0));
    load->normal_force = normal;
    load->shear_force = shear * lane_sqrt(lane3_dot(sideways, sideways));
    load->bending_moment = two_over_l0 * EI * lane_sqrt(across2); // (16)
    load->twisting_moment = two_over_l0 * GJ * lane_abs(along);   // (17)
    bond_add_damping(s, &f, load);
}

// V of the same bond [J].
LANE_INLINE lane bond_energy_quaternion(const bond_state *s)
{
    const double pi = 3.14159265358979323846;
    bond_frame f = bond_frame_of(s);
    lane area = pi * s->r0 * s->r0;
    lane EI = 0.25 * s->E * area * s->r0 * s->r0;
    lane GJ = 0.5 * s->G * area * s->r0 * s->r0;
    lane stretch = f.l - s->l0;
    lane c = lane3_dot(f.n, f.d);
    lane3 sideways = lane3_add_scaled(f.d, -c, f.n);
    lane ratio = lane_theta_over_sin(c);
    lane theta2 = ratio * ratio * lane3_dot(sideways, sideways);
    lane along = 2.0 * lane3_dot(f.rho, f.d); // |t . d0|
    lane across2 = 4.0 * lane3_dot(f.rho, f.rho) - along * along;
    return 0.5 * area / s->l0 * (s->E * stretch * stretch) + 0.5 * s->G * area * s->l0 * theta2 +
           0.5 / s->l0 * (EI * across2 + GJ * along * along);
}
