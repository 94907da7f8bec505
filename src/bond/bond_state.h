// What a bond law sees and says: the state of one bond (or SHERD_LANES of them) and its loads.
#pragma once

#include "math/lane.h"
#include "math/lane_angle.h"

// What does not change while a bond lives: rest geometry and stiffnesses. With S = pi r0^2,
// I = S r0^2 / 4, J = S r0^2 / 2:
typedef struct bond_section {
    lane3 d0;            // rest direction i -> j, unit, rest frame       [-]
    lane l0, inverse_l0; // rest length                                   [m], [1/m]
    lane stretch;        // E S / l0                                      [N/m]
    lane shear;          // G S l0                                        [N m]
    lane bend, twist;    // E I / l0, G J / l0                            [N m]
    // Damping, the relaxation time beta times a stiffness:
    lane damp_stretch, damp_shear; // beta E S / l0, beta G S / l0        [N s/m]
    lane damp_bend, damp_twist;    // beta E I / l0, beta G J / l0        [N m s]
} bond_section;

LANE_INLINE bond_section bond_section_of(lane3 d0, lane l0, lane r0, lane E, lane G, lane beta)
{
    lane r2 = r0 * r0, inverse_l0 = 1 / l0;
    lane area = (real)3.14159265358979323846 * r2;
    lane stretch = E * area * inverse_l0, shear_per_length = G * area;
    lane bend = 0.25 * stretch * r2, twist = 0.5 * shear_per_length * inverse_l0 * r2;
    return (bond_section){
        .d0 = d0,
        .l0 = l0,
        .inverse_l0 = inverse_l0,
        .stretch = stretch,
        .shear = shear_per_length * l0,
        .bend = bend,
        .twist = twist,
        .damp_stretch = beta * stretch,
        .damp_shear = beta * shear_per_length * inverse_l0,
        .damp_bend = beta * bend,
        .damp_twist = beta * twist,
    };
}

// i and j are the bond's ends. All vectors are in the world frame except d0.   PHYSICS.md 1
typedef struct bond_state {
    lane3 b;        // p_j - p_i                                    [m]
    lane4 q_i, q_j; // orientations
    lane3 v_ij;     // v_j - v_i                                    [m/s]
    lane3 w_i, w_j; // angular velocities                           [rad/s]
    bond_section section;
} bond_state;

typedef struct bond_load {
    lane3 force_j;  // on j; on i it is the opposite                [N]
    lane3 torque_i; // on i                                         [N m]
    lane3 torque_j; // on j                                         [N m]
    // For the breakage criterion, without damping:
    lane normal_force;    // tension positive                         [N]
    lane shear_force2;    // squared magnitude                        [N^2]
    lane bending_moment2; // squared magnitude                        [N^2 m^2]
    lane twisting_moment; // magnitude                                [N m]
    lane damping_power;   // dissipated now, >= 0                     [W]
} bond_load;

// Geometry shared by the laws.
typedef struct bond_frame {
    lane l, inverse_l; // current length
    lane3 n;           // current direction i -> j
    lane3 d;           // R(q_c) d0, q_c halfway between q_i and q_j
    lane cosine;       // n . d
    lane3 rho;         // Im(q_j conj(q_i)): half the relative rotation, for small angles
    lane w;            // Re(q_j conj(q_i)) >= 0
    lane turn;         // 1 / (1 + w)
} bond_frame;

LANE_INLINE bond_frame bond_frame_of(const bond_state *s)
{
    bond_frame f;
    lane l2 = lane3_dot(s->b, s->b);
    f.inverse_l = lane_inverse_sqrt_near(l2, s->section.inverse_l0);
    f.l = l2 * f.inverse_l;
    f.n = lane3_scale(f.inverse_l, s->b);

    // q and -q are the same rotation: use the q_j nearest to q_i.
    lane4 a = s->q_i, c = s->q_j;
    lane w = lane4_dot(a, c);
    c = (lane4){lane_flip_sign(c.x, w), lane_flip_sign(c.y, w), lane_flip_sign(c.z, w),
                lane_flip_sign(c.w, w)};
    f.w = lane_abs(w);
    f.turn = lane_inverse_of_1_plus(f.w);
    // Im(c conj(a)) = a_w c_v - c_w a_v - c_v x a_v
    lane3 av = {a.x, a.y, a.z}, cv = {c.x, c.y, c.z};
    f.rho = lane3_sub_scaled(lane3_add_scaled(lane3_cross(av, cv), a.w, cv), c.w, av);
    // d = R(q_c) d0. The sum q_i + q_j is |sum| q_c with |sum|^2 = 2 (1 + w), so that
    // d = d0 + (sum_w t + sum_v x t) / (1 + w), t = sum_v x d0.
    lane3 sum = lane3_add(av, cv);
    lane3 t = lane3_cross(sum, s->section.d0);
    lane3 change = lane3_add_scaled(lane3_cross(sum, t), a.w + c.w, t);
    f.d = lane3_add_scaled(s->section.d0, f.turn, change);
    f.cosine =
        lane3_dot(s->b, f.d) * f.inverse_l; // not from n: two ways meet here at the same time
    return f;
}

// Bond damping: every generalised strain rate is resisted with beta times its stiffness, a
// Rayleigh dissipation. Zero for rigid motion; torques balance exactly:
//   e' = v_j - v_i - (w_i + w_j)/2 x b,   f = -c_n (e'.n) n - c_s (e' - (e'.n) n)   on j
//   k' = w_j - w_i,                       M = -c_t (k'.n) n - c_b (k' - (k'.n) n)   on j
// T_i = -b x f / 2 - M,  T_j = -b x f / 2 + M.
// c_n, c_s, c_b, c_t are the section's damp_stretch, damp_shear, damp_bend, damp_twist.
LANE_INLINE void bond_add_damping(const bond_state *s, const bond_frame *f, bond_load *load)
{
    const bond_section *k = &s->section;
    lane3 w_mean = lane3_scale(lane_of(0.5), lane3_add(s->w_i, s->w_j));
    lane3 rate = lane3_sub(s->v_ij, lane3_cross(w_mean, s->b));
    lane along = lane3_dot(rate, f->n);
    lane3 force = lane3_sub_scaled(lane3_scale((k->damp_shear - k->damp_stretch) * along, f->n),
                                   k->damp_shear, rate);

    lane3 turn = lane3_sub(s->w_j, s->w_i);
    lane twist = lane3_dot(turn, f->n);
    lane3 moment = lane3_sub_scaled(lane3_scale((k->damp_bend - k->damp_twist) * twist, f->n),
                                    k->damp_bend, turn);

    lane3 arm = lane3_scale(lane_of(0.5), lane3_cross(force, s->b));
    load->force_j = lane3_add(load->force_j, force);
    load->torque_i = lane3_add(load->torque_i, lane3_sub(arm, moment));
    load->torque_j = lane3_add(load->torque_j, lane3_add(arm, moment));
    load->damping_power = -lane3_dot(force, rate) - lane3_dot(moment, turn);
}
