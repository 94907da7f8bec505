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
    lane bend = LANE_QUARTER * stretch * r2, twist = LANE_HALF * shear_per_length * inverse_l0 * r2;
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

// i and j are the bond's ends. All vectors are in one frame, the world's or any other (bond_local.h),
// except d0.                                                                  PHYSICS.md 1
typedef struct bond_state {
    lane3 du;       // p_j - p_i - l0 d0: small when that frame turns with the bond  [m]
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

// Geometry shared by the laws. Whatever is small for a bond at rest is computed from small numbers,
// without cancellation: the bond's strain x, and d - n.
typedef struct bond_frame {
    lane3 b;         // p_j - p_i
    lane elongation; // l - l0
    lane inverse_l;  // 1 / l
    lane3 n;         // direction i -> j
    lane3 d;         // R(q_c) d0, q_c halfway between q_i and q_j
    lane3 apart;     // d - n
    lane apart2;     // |d - n|^2 = 2 - 2 cos(theta), theta = angle(n, d)
    lane3 rho;       // Im(q_j conj(q_i)): half the relative rotation, for small angles
    lane w;          // Re(q_j conj(q_i)) >= 0
    lane turn;       // 1 / (1 + w)
} bond_frame;

// With g = du / l0: b / l0 = d0 + g, l^2 / l0^2 = 1 + x, x = g.(2 d0 + g), and with
// y = (1 + x)^(-1/2) - 1:  l0 / l = 1 + y,  l / l0 - 1 = x + y + x y,  n = (1 + y) (d0 + g).
// Returns n - d0.
LANE_INLINE lane3 bond_stretch(const bond_state *s, bond_frame *f)
{
    const bond_section *k = &s->section;
    lane3 g = lane3_scale(k->inverse_l0, s->du);
    lane3 along = lane3_add(k->d0, g);
    lane x = lane3_dot(g, lane3_add(along, k->d0));
    lane y = lane_inverse_sqrt_1_plus(x);
    lane3 correction = lane3_scale(y, along);
    f->b = lane3_scale(k->l0, along);
    f->n = lane3_add(along, correction);
    f->inverse_l = lane_fma(k->inverse_l0, y, k->inverse_l0);
    f->elongation = k->l0 * lane_fma(x, y, x + y);
    return lane3_add(g, correction);
}

LANE_INLINE bond_frame bond_frame_of(const bond_state *s)
{
    bond_frame f;
    lane3 n_change = bond_stretch(s, &f);

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
    f.apart = lane3_sub(lane3_scale(f.turn, change), n_change);
    f.apart2 = lane3_dot(f.apart, f.apart);
    return f;
}

// d - cos(theta) n: across n, of length sin(theta).
LANE_INLINE lane3 bond_sideways(const bond_frame *f)
{
    return lane3_add_scaled(f->apart, LANE_HALF * f->apart2, f->n);
}

// sin^2(theta) = |d - n|^2 (1 - |d - n|^2 / 4)
LANE_INLINE lane bond_sine2(const bond_frame *f)
{
    return lane_fnma(LANE_QUARTER * f->apart2, f->apart2, f->apart2);
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
    lane3 rate = lane3_sub(s->v_ij, lane3_cross(w_mean, f->b));
    lane along = lane3_dot(rate, f->n);
    lane3 force = lane3_sub_scaled(lane3_scale((k->damp_shear - k->damp_stretch) * along, f->n),
                                   k->damp_shear, rate);

    lane3 turn = lane3_sub(s->w_j, s->w_i);
    lane twist = lane3_dot(turn, f->n);
    lane3 moment = lane3_sub_scaled(lane3_scale((k->damp_bend - k->damp_twist) * twist, f->n),
                                    k->damp_bend, turn);

    lane3 arm = lane3_scale(lane_of(0.5), lane3_cross(force, f->b));
    load->force_j = lane3_add(load->force_j, force);
    load->torque_i = lane3_add(load->torque_i, lane3_sub(arm, moment));
    load->torque_j = lane3_add(load->torque_j, lane3_add(arm, moment));
    load->damping_power = -lane3_dot(force, rate) - lane3_dot(moment, turn);
}
