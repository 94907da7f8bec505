// What a bond law sees and says: the state of one bond (or SHERD_LANES of them) and its loads.
#pragma once

#include "math/lane.h"
#include "math/lane_angle.h"

// What does not change while a bond lives: rest geometry, stiffnesses and the combinations of them
// that laws use. With S = pi r0^2, I = S r0^2 / 4, J = S r0^2 / 2 and the damping's relaxation time
// beta (c = beta k):
typedef struct bond_section {
    lane3 d0;                     // rest direction i -> j, unit, rest frame       [-]
    lane l0, half_l0, inverse_l0; // rest length                                   [m], [1/m]
    lane stretch;                 // E S                                           [N]
    lane shear;                   // G S l0                                        [N m]
    lane shear_force;             // G S, Lu's law only                            [N]
    lane bend2, twist2;           // 2 E I / l0, 2 G J / l0                        [N m]
    lane bend_over_twist2;        // bend2 - twist2                                [N m]
    lane damp_shear;              // beta G S / l0                                 [N s/m]
    lane damp_stretch_over;       // beta (E S - G S) / l0                         [N s/m]
    lane damp_bend;               // beta E I / l0                                 [N m s]
    lane damp_twist_over;         // beta (G J - E I) / l0                         [N m s]
} bond_section;

LANE_INLINE bond_section bond_section_of(lane3 d0, lane l0, lane r0, lane E, lane G, lane beta)
{
    lane r2 = r0 * r0, inverse_l0 = 1 / l0;
    lane area = (real)3.14159265358979323846 * r2;
    lane ES = E * area, GS = G * area;
    lane bend = LANE_QUARTER * ES * r2 * inverse_l0, twist = LANE_HALF * GS * r2 * inverse_l0;
    return (bond_section){
        .d0 = d0,
        .l0 = l0,
        .half_l0 = LANE_HALF * l0,
        .inverse_l0 = inverse_l0,
        .stretch = ES,
        .shear = GS * l0,
        .shear_force = GS,
        .bend2 = 2 * bend,
        .twist2 = 2 * twist,
        .bend_over_twist2 = 2 * (bend - twist),
        .damp_shear = beta * GS * inverse_l0,
        .damp_stretch_over = beta * (ES - GS) * inverse_l0,
        .damp_bend = beta * bend,
        .damp_twist_over = beta * (twist - bend),
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
    lane3 half_b;   // (p_j - p_i) / 2
    lane stretch;   // l / l0 - 1
    lane inverse_l; // 1 / l
    lane3 n;        // direction i -> j
    lane3 d;        // R(q_c) d0, q_c halfway between q_i and q_j
    lane3 apart;    // d - n
    lane apart2;    // |d - n|^2 = 2 - 2 cos(theta), theta = angle(n, d)
    lane3 rho;      // Im(q_j conj(q_i)): half the relative rotation, for small angles
    lane w;         // Re(q_j conj(q_i)) >= 0
    lane turn;      // 1 / (1 + w)
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
    f->half_b = lane3_scale(k->half_l0, along);
    f->n = lane3_add(along, correction);
    f->inverse_l = lane_fma(k->inverse_l0, y, k->inverse_l0);
    f->stretch = lane_fma(x, y, x + y);
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

// sin^2(theta) = |d - n|^2 (1 - |d - n|^2 / 4)
LANE_INLINE lane bond_sine2(const bond_frame *f)
{
    return lane_fnma(LANE_QUARTER * f->apart2, f->apart2, f->apart2);
}

// An elastic load to which damping comes. The force on j is along n and d - n, the torques come from
// what the force does at the bond's middle and from a moment that j gets and i gives:
//   F_j = a n + s (d - n),   T_j = F_j x b / 2 + M,   T_i = F_j x b / 2 - M
// (elastic forces turn d towards n with the couple F_j x b, so nothing else is left).
typedef struct bond_elastic {
    lane along_n, along_apart; // a, s                               [N]
    lane3 moment;              // M                                  [N m]
} bond_elastic;

// Bond damping: every generalised strain rate is resisted with beta times its stiffness, a
// Rayleigh dissipation. Zero for rigid motion; torques balance exactly:
//   e' = v_j - v_i - (w_i + w_j)/2 x b,   f = -c_n (e'.n) n - c_s (e' - (e'.n) n)   on j
//   k' = w_j - w_i,                       M = -c_t (k'.n) n - c_b (k' - (k'.n) n)   on j
// with c_n = beta E S / l0, c_s = beta G S / l0, c_b = beta E I / l0, c_t = beta G J / l0.
LANE_INLINE void bond_add_damping(const bond_state *s, const bond_frame *f,
                                  const bond_elastic *elastic, bond_load *load)
{
    const bond_section *k = &s->section;
    lane3 rate = lane3_sub(s->v_ij, lane3_cross(lane3_add(s->w_i, s->w_j), f->half_b));
    lane3 turn = lane3_sub(s->w_j, s->w_i);
    lane along = lane3_dot(rate, f->n), twist = lane3_dot(turn, f->n);
    lane stretching = k->damp_stretch_over * along, twisting = k->damp_twist_over * twist;

    lane3 force = lane3_scale(elastic->along_apart, f->apart);
    force = lane3_add_scaled(force, elastic->along_n - stretching, f->n);
    force = lane3_sub_scaled(force, k->damp_shear, rate);
    lane3 moment = lane3_sub_scaled(elastic->moment, twisting, f->n);
    moment = lane3_sub_scaled(moment, k->damp_bend, turn);

    lane3 arm = lane3_cross(force, f->half_b);
    load->force_j = force;
    load->torque_i = lane3_sub(arm, moment);
    load->torque_j = lane3_add(arm, moment);
    load->damping_power =
        lane_fma(k->damp_shear, lane3_dot(rate, rate),
                 lane_fma(stretching, along,
                          lane_fma(k->damp_bend, lane3_dot(turn, turn), twisting * twist)));
}
