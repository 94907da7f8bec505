// What a bond law sees and says: the state of one bond (or SHERD_LANES of them) and its loads.
#pragma once

#include "math/lane.h"
#include "math/lane_angle.h"

// i and j are the bond's ends. All vectors are in the world frame except d0.   PHYSICS.md 1
typedef struct bond_state {
    lane3 b;        // p_j - p_i                                    [m]
    lane4 q_i, q_j; // orientations
    lane3 v_ij;     // v_j - v_i                                    [m/s]
    lane3 w_i, w_j; // angular velocities                           [rad/s]
    lane3 d0;       // rest direction i -> j, unit, rest frame      [-]
    lane l0, r0;    // rest length, bond radius                     [m]
    lane E, G;      // moduli of the bond                           [Pa]
    lane beta;      // damping relaxation time, c = beta k          [s]
} bond_state;

typedef struct bond_load {
    lane3 force_j;  // on j; on i it is the opposite                [N]
    lane3 torque_i; // on i                                         [N m]
    lane3 torque_j; // on j                                         [N m]
    // For the breakage criterion, without damping:
    lane normal_force;    // tension positive                         [N]
    lane shear_force;     // magnitude                                [N]
    lane bending_moment;  // magnitude                                [N m]
    lane twisting_moment; // magnitude                                [N m]
    lane damping_power;   // dissipated now, >= 0                     [W]
} bond_load;

// Geometry shared by the laws.
typedef struct bond_frame {
    lane l, inverse_l; // current length
    lane3 n;           // current direction i -> j
    lane3 d;           // R(q_c) d0, q_c halfway between q_i and q_j
    lane3 rho;         // Im(q_j conj(q_i)): half the relative rotation, for small angles
    lane w;            // Re(q_j conj(q_i)) >= 0
} bond_frame;

LANE_INLINE bond_frame bond_frame_of(const bond_state *s)
{
    bond_frame f;
    f.l = lane_sqrt(lane3_dot(s->b, s->b));
    f.inverse_l = 1.0 / f.l;
    f.n = lane3_scale(f.inverse_l, s->b);

    // q and -q are the same rotation: use the q_j nearest to q_i.
    lane w = lane4_dot(s->q_i, s->q_j);
    lane sign = lane_select(lane_greater(lane_of(0.0), w), lane_of(-1.0), lane_of(1.0));
    lane4 a = s->q_i;
    lane4 c = {sign * s->q_j.x, sign * s->q_j.y, sign * s->q_j.z, sign * s->q_j.w};
    f.w = sign * w;
    // Im(c conj(a)) = a_w c_v - c_w a_v - c_v x a_v
    f.rho = (lane3){a.w * c.x - c.w * a.x - (c.y * a.z - c.z * a.y),
                    a.w * c.y - c.w * a.y - (c.z * a.x - c.x * a.z),
                    a.w * c.z - c.w * a.z - (c.x * a.y - c.y * a.x)};
    // d = R(q_c) d0. The sum q_i + q_j has |.|^2 = 2 (1 + w); rotate and divide.
    lane4 sum = {a.x + c.x, a.y + c.y, a.z + c.z, a.w + c.w};
    f.d = lane3_scale(0.5 / (1.0 + f.w), lane4_rotate(sum, s->d0));
    return f;
}

// Bond damping: every generalised strain rate is resisted with beta times its stiffness, a
// Rayleigh dissipation. Zero for rigid motion; torques balance exactly:
//   e' = v_j - v_i - (w_i + w_j)/2 x b,   f = -c_n (e'.n) n - c_s (e' - (e'.n) n)   on j
//   k' = w_j - w_i,                       M = -c_t (k'.n) n - c_b (k' - (k'.n) n)   on j
// T_i = -b x f / 2 - M,  T_j = -b x f / 2 + M.
// Stiffnesses per strain: c_n = beta E S / l0, c_s = beta G S / l0, c_b = beta E I / l0,
// c_t = beta G J / l0, with I = S r0^2 / 4, J = S r0^2 / 2.
LANE_INLINE void bond_add_damping(const bond_state *s, const bond_frame *f, bond_load *load)
{
    lane area = 3.14159265358979323846 * s->r0 * s->r0;
    lane per_length = s->beta * area / s->l0;
    lane c_n = per_length * s->E, c_s = per_length * s->G;
    lane r2 = s->r0 * s->r0;
    lane c_b = 0.25 * c_n * r2, c_t = 0.5 * c_s * r2;

    lane3 w_mean = lane3_scale(lane_of(0.5), lane3_add(s->w_i, s->w_j));
    lane3 rate = lane3_sub(s->v_ij, lane3_cross(w_mean, s->b));
    lane along = lane3_dot(rate, f->n);
    lane3 force = lane3_add_scaled(lane3_scale(-c_s, rate), (c_s - c_n) * along, f->n);

    lane3 turn = lane3_sub(s->w_j, s->w_i);
    lane twist = lane3_dot(turn, f->n);
    lane3 moment = lane3_add_scaled(lane3_scale(-c_b, turn), (c_b - c_t) * twist, f->n);

    lane3 arm = lane3_scale(lane_of(-0.5), lane3_cross(s->b, force));
    load->force_j = lane3_add(load->force_j, force);
    load->torque_i = lane3_add(load->torque_i, lane3_sub(arm, moment));
    load->torque_j = lane3_add(load->torque_j, lane3_add(arm, moment));
    load->damping_power = -lane3_dot(force, rate) - lane3_dot(moment, turn);
}
