// The force law of Lu et al.                                               [BDEM21] (3)-(16)
//
// Not the gradient of an energy ([RBDEM] supplement 3): for explicit integration only. Agrees with
// the quaternion law to first order in the strain. n here points from i to j, so a stretched bond
// pulls j along -n (the paper's n has the opposite sense; PHYSICS.md 2, slip 8).
#pragma once

#include "bond/bond_state.h"

LANE_INLINE void bond_law_lu(const bond_state *s, bond_load *load)
{
    const double pi = 3.14159265358979323846;
    bond_frame f = bond_frame_of(s);
    lane inverse_l0 = 1.0 / s->l0;
    lane area = pi * s->r0 * s->r0;
    lane r2 = s->r0 * s->r0;

    lane normal = s->E * area * inverse_l0 * (f.l - s->l0); // (3), (4)

    // (5)-(11): F_shear = G S sin(theta) t. d is the direction of (6): d_i + d_j lies along
    // R(q_c) d0 up to a component along the bending axis, which is of second order.
    lane c = lane3_dot(f.n, f.d);
    lane3 sideways = lane3_add_scaled(f.d, -c, f.n);
    lane3 shear = lane3_scale(s->G * area, sideways);
    lane3 couple = lane3_scale(0.5 * f.l, lane3_cross(shear, f.n)); // (10), on each end

    // (12)-(16): rotation vector theta a of q_j relative to q_i, split along and across n.
    lane3 turn = lane3_scale(lane_rotation_factor(lane3_dot(f.rho, f.rho)), f.rho);
    lane twist = lane3_dot(turn, f.n);
    lane3 bend = lane3_add_scaled(turn, -twist, f.n);
    lane k_t = 0.5 * s->G * area * r2 * inverse_l0;
    lane k_b = 0.25 * s->E * area * r2 * inverse_l0;
    lane3 moment = lane3_add_scaled(lane3_scale(k_b, bend), k_t * twist, f.n);

    load->force_j = lane3_add_scaled(shear, -normal, f.n);
    load->torque_i = lane3_add(couple, moment);
    load->torque_j = lane3_sub(couple, moment);
    load->normal_force = normal;
    load->shear_force = lane_sqrt(lane3_dot(shear, shear));
    load->bending_moment = k_b * lane_sqrt(lane3_dot(bend, bend));
    load->twisting_moment = k_t * lane_abs(twist);
    bond_add_damping(s, &f, load);
}

// The work that Lu's forces store in stretch, shear, bending and twist taken one by one [J]. A
// measure for accounts only: the law has no energy that its forces are the gradient of.
LANE_INLINE lane bond_energy_lu(const bond_state *s)
{
    const double pi = 3.14159265358979323846;
    bond_frame f = bond_frame_of(s);
    lane area = pi * s->r0 * s->r0;
    lane r2 = s->r0 * s->r0;
    lane stretch = f.l - s->l0;
    lane c = lane3_dot(f.n, f.d);
    lane3 turn = lane3_scale(lane_rotation_factor(lane3_dot(f.rho, f.rho)), f.rho);
    lane twist = lane3_dot(turn, f.n);
    lane bend2 = lane3_dot(turn, turn) - twist * twist;
    return 0.5 * s->E * area / s->l0 * (stretch * stretch) + s->G * area * s->l0 * (1.0 - c) +
           0.125 * s->E * area * r2 / s->l0 * bend2 +
           0.25 * s->G * area * r2 / s->l0 * (twist * twist);
}
