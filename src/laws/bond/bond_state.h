// Input and output of a bond law: the state of one bond (or SHERD_LANES of them) and its loads.
#pragma once

#include "laws/bond/bond_numbers.h"
#include "math/lane.h"
#include "math/lane_angle.h"

// Constants of a bond (bond_numbers.h). They are read from memory when they are needed.
typedef enum bond_section_kind {
    BOND_SECTION_CLASS, // numbers[c] for all lanes
    BOND_SECTION_OWN,   // number c of lane k is numbers[c * stride + k], c < SHERD_SLOT_NUMBERS
    // the same, c < SHERD_SLOT_OWN_NUMBERS; all lanes have the other numbers `common`
    BOND_SECTION_COMMON,
} bond_section_kind;

typedef struct bond_section {
    bond_section_kind kind; // known at compile time of kernels
    const real *numbers, *common;
    int stride;
} bond_section;

LANE_INLINE lane bond_stored(const bond_section *k, int which)
{
    return lane_load(k->numbers + which * k->stride);
}

LANE_INLINE lane bond_own_number(const bond_section *k, int which)
{
    if (which < SHERD_SLOT_NUMBERS) return bond_stored(k, which);
    lane half_l0 = bond_stored(k, SHERD_CLASS_HALF_L0);
    lane ES = bond_stored(k, SHERD_CLASS_STRETCH), GS = bond_stored(k, SHERD_CLASS_SHEAR_FORCE);
    lane bend2 = bond_stored(k, SHERD_CLASS_BEND2), twist2 = bond_stored(k, SHERD_CLASS_TWIST2);
    lane damping = bond_stored(k, SHERD_CLASS_DAMPING);
    lane weighted = bond_stored(k, SHERD_CLASS_WEIGHT) * bend2;
    switch (which) {
    case SHERD_CLASS_HALF_SHEAR:
        return GS * half_l0;
    case SHERD_CLASS_BEND_OVER_TWIST2:
        return bend2 - twist2;
    case SHERD_CLASS_DAMP_SHEAR:
        return damping * GS;
    case SHERD_CLASS_DAMP_STRETCH_OVER:
        return damping * (ES - GS);
    case SHERD_CLASS_DAMP_BEND:
        return damping * half_l0 * bend2;
    case SHERD_CLASS_DAMP_TWIST_OVER:
        return damping * half_l0 * (twist2 - bend2);
    case SHERD_CLASS_BEND_WEIGHT2:
        return 4 * (weighted * weighted);
    default: // SHERD_CLASS_TWIST_WEIGHT
        return bond_stored(k, SHERD_CLASS_WEIGHT) * twist2;
    }
}

// Computes the number from that of a bond which differs only in direction, length, damping and
// strengths.
LANE_INLINE lane bond_common_number(const bond_section *k, int which)
{
    if (which < SHERD_SLOT_OWN_NUMBERS) return bond_stored(k, which);
    const real *common = k->common;
    lane half_l0 = bond_stored(k, SHERD_CLASS_HALF_L0);
    lane damping = bond_stored(k, SHERD_CLASS_DAMPING);
    real ES = common[SHERD_CLASS_STRETCH], GS = common[SHERD_CLASS_SHEAR_FORCE];
    lane shorter = 2 * common[SHERD_CLASS_HALF_L0] * bond_stored(k, SHERD_CLASS_INVERSE_L0);
    lane weighted = 2 * common[SHERD_CLASS_WEIGHT] * common[SHERD_CLASS_BEND2] * shorter;
    switch (which) {
    case SHERD_CLASS_HALF_SHEAR:
        return GS * half_l0;
    case SHERD_CLASS_DAMP_SHEAR:
        return damping * GS;
    case SHERD_CLASS_DAMP_STRETCH_OVER:
        return damping * (ES - GS);
    case SHERD_CLASS_DAMP_BEND:
        return damping * half_l0 * (common[SHERD_CLASS_BEND2] * shorter);
    case SHERD_CLASS_DAMP_TWIST_OVER:
        return damping * half_l0 * (-common[SHERD_CLASS_BEND_OVER_TWIST2] * shorter);
    case SHERD_CLASS_BEND_WEIGHT2:
        return weighted * weighted;
    case SHERD_CLASS_BEND2:
    case SHERD_CLASS_TWIST2:
    case SHERD_CLASS_BEND_OVER_TWIST2:
    case SHERD_CLASS_TWIST_WEIGHT:
        return common[which] * shorter;
    default: // SHERD_CLASS_STRETCH, _SHEAR_FORCE, _WEIGHT
        return lane_of(common[which]);
    }
}

LANE_INLINE lane bond_number(const bond_section *k, int which)
{
    switch (k->kind) {
    case BOND_SECTION_OWN:
        return bond_own_number(k, which);
    case BOND_SECTION_COMMON:
        return bond_common_number(k, which);
    default:
        return lane_of(k->numbers[which]);
    }
}

#define NUMBER(section, name) bond_number((section), SHERD_CLASS_##name)

LANE_INLINE lane3 bond_d0(const bond_section *k)
{
    return (lane3){bond_number(k, SHERD_CLASS_D0), bond_number(k, SHERD_CLASS_D0 + 1),
                   bond_number(k, SHERD_CLASS_D0 + 2)};
}

// i and j are the bond's ends. All vectors are in one frame, the world's or any other (bond_local.h),
// except d0.    docs/theory/physics.md 1
typedef struct bond_state {
    lane3 du;        // p_j - p_i - l0 d0: small when that frame turns with the bond  [m]
    lane4 q_i, q_j;  // orientations
    lane_mask alive; // lanes with an intact bond: other lanes may contain anything and get no load
    bond_section section;
    // For laws with a history: the bonds' history, and the new one, which the law writes. Other
    // laws use neither.
    const lane *history;
    lane *new_history;
    // the state is not stored, and new history values are not rounded to single precision
    bool trial;
} bond_state;

// Velocities of the ends; only damping needs them.
typedef struct bond_motion {
    lane3 v_ij;     // v_j - v_i                                    [m/s]
    lane3 w_i, w_j; // angular velocities                           [rad/s]
} bond_motion;

typedef struct bond_load {
    lane3 force_j;  // on j; that on i is opposite                [N]
    lane3 torque_i; // on i                                         [N m]
    lane3 torque_j; // on j                                         [N m]
    // For the breakage criterion, without damping:
    lane normal_force;  // tension positive                          [N]
    lane shear_force2;  // squared magnitude                         [N^2]
    lane bending2;      // (bending moment / BEND2)^2                [-]
    lane twisting;      // twisting moment / TWIST2, signed          [-]
    lane damping_power; // dissipated now, >= 0                     [W]
    // For laws with a history only:
    lane stored;     // elastic energy, if the law computes it anyway [J]
    lane exhaustion; // fraction of the plastic strain at fracture: it breaks at 1 [-]
} bond_load;

// Geometry common to all laws. Quantities that are small for an undeformed bond are computed from
// small numbers, without cancellation: the bond's strain x, n - d0, and d - n.
typedef struct bond_frame {
    lane3 half_b;       // (p_j - p_i) / 2
    lane stretch;       // l / l0 - 1
    lane inverse_l;     // 1 / l
    lane3 n;            // direction i -> j
    lane3 n_change;     // n - d0
    lane3 shear_vector; // d - n, d = R(q_c) d0, q_c halfway between q_i and q_j
    lane shear_vector2; // |d - n|^2 = 2 - 2 cos(theta), theta = angle(n, d)
    lane3 rho;          // Im(q_j conj(q_i)): half the relative rotation, for small angles
    lane w;             // Re(q_j conj(q_i)) >= 0
    lane turn;          // 1 / (1 + w)
    // Remaining fraction of the shear stiffness of a bent bond, and its derivative by w
    // (bond_fold_fading).
    lane fold_fading, fold_fading_slope;
} bond_frame;

// With g = du / l0: b / l0 = d0 + g, l^2 / l0^2 = 1 + x, x = g.(2 d0 + g), and with
// y = (1 + x)^(-1/2) - 1:  l0 / l = 1 + y,  l / l0 - 1 = x + y + x y,  n = (1 + y) (d0 + g).
LANE_INLINE void bond_stretch(const bond_state *s, lane_series *series, bond_frame *f)
{
    const bond_section *k = &s->section;
    lane3 g = lane3_scale(NUMBER(k, INVERSE_L0), s->du), d0 = bond_d0(k);
    lane3 along = lane3_add(d0, g);
    lane x = lane3_dot(g, lane3_add(along, d0));
    lane y = lane_inverse_sqrt_1_plus(x, series);
    f->half_b = lane3_scale(NUMBER(k, HALF_L0), along);
    f->n = lane3_add_scaled(along, y, along);
    f->n_change = lane3_add_scaled(g, y, along);
    f->inverse_l = lane_fma(NUMBER(k, INVERSE_L0), y, NUMBER(k, INVERSE_L0));
    f->stretch = lane_fma(x, y, x + y);
}

// Returns c or -c, which are the same rotation: the one with w >= 0, where w is its product with
// the other end's quaternion. Not needed within the range of short series.
LANE_INLINE lane4 bond_nearest(lane4 c, lane *w, const lane_series *series)
{
    if (series->short_only) return c;
    lane sign = *w;
    *w = lane_abs(sign);
    return (lane4){lane_flip_sign(c.x, sign), lane_flip_sign(c.y, sign), lane_flip_sign(c.z, sign),
                   lane_flip_sign(c.w, sign)};
}

// Where the ends are rotated by half a turn relative to each other, there are two directions
// halfway between them, and d jumps from one to its opposite. A shear angle of 0 would become one
// of 180 degrees, and energy would be created. So the shear stiffness fades to zero between a third
// and half of a turn (the bending moment has its maximum before, at a quarter):
//   fold_fading = s^2 (3 - 2 s),   s = min(1, 2 w)
LANE_INLINE void bond_fold_fading(const lane_series *series, bond_frame *f)
{
    f->fold_fading = lane_of(1);
    f->fold_fading_slope = lane_of(0);
    if (series->short_only) return;
    lane s = lane_min(f->w + f->w, lane_of(1));
    f->fold_fading = s * s * (3 - 2 * s);
    f->fold_fading_slope = 12 * s * (1 - s);
}

// Im(c conj(a)) = a_w c_v - c_w a_v - c_v x a_v
LANE_INLINE lane3 bond_rho(lane4 a, lane4 c)
{
    lane3 av = {a.x, a.y, a.z}, cv = {c.x, c.y, c.z};
    return lane3_sub_scaled(lane3_add_scaled(lane3_cross(av, cv), a.w, cv), c.w, av);
}

// (1 + w) (d - d0), d = R(q_c) d0. The sum q_i + q_j is |sum| q_c with |sum|^2 = 2 (1 + w), so that
// d = d0 + (sum_w t + sum_v x t) / (1 + w), t = sum_v x d0.
LANE_INLINE lane3 bond_d_change(lane4 a, lane4 c, lane3 d0)
{
    lane3 sum = lane3_add((lane3){a.x, a.y, a.z}, (lane3){c.x, c.y, c.z});
    lane3 t = lane3_cross(sum, d0);
    return lane3_add_scaled(lane3_cross(sum, t), a.w + c.w, t);
}

LANE_INLINE void bond_turn(const bond_state *s, lane_series *series, bond_frame *f)
{
    f->w = lane4_dot(s->q_i, s->q_j);
    lane4 c = bond_nearest(s->q_j, &f->w, series);
    f->turn = lane_inverse_of_1_plus(f->w, series);
    bond_fold_fading(series, f);
    f->rho = bond_rho(s->q_i, c);
    lane3 change = bond_d_change(s->q_i, c, bond_d0(&s->section));
    f->shear_vector = lane3_scaled_sub(f->turn, change, f->n_change);
    f->shear_vector2 = lane3_dot(f->shear_vector, f->shear_vector);
}

// sin^2(theta) = |d - n|^2 (1 - |d - n|^2 / 4)
LANE_INLINE lane bond_sine2(const bond_frame *f)
{
    return lane_fnma(LANE_QUARTER * f->shear_vector2, f->shear_vector2, f->shear_vector2);
}

// An elastic load, to which damping is added. The force on j is along n and d - n; the torques are
// those of the force, which acts at the bond's middle, and of a moment on j with its opposite on i:
//   F_j = a n + s (d - n),   T_j = F_j x b / 2 + M,   T_i = F_j x b / 2 - M
//   M = m_n n + m_s (d - n) - m_r rho
// (elastic forces turn d towards n with the couple F_j x b, so there are no other terms).
typedef struct bond_elastic {
    lane force_n, force_shear;               // a, s                 [N]
    lane moment_n, moment_shear, moment_rho; // m_n, m_s, m_r        [N m]
} bond_elastic;

// A law computes the elastic load and the quantities that breakage criteria use.
typedef void bond_law(const bond_state *, const bond_frame *, lane_series *, bond_elastic *,
                      bond_load *);

// The energy of the same bond [J].
typedef lane bond_potential(const bond_state *, const bond_frame *, const bond_load *);

LANE_INLINE lane3 lane3_keep(lane_mask mask, lane3 a)
{
    return (lane3){lane_keep(mask, a.x), lane_keep(mask, a.y), lane_keep(mask, a.z)};
}

// Bond damping: each generalised strain rate is resisted by beta times its stiffness (Rayleigh
// dissipation). It vanishes in rigid motion, and torques balance exactly:
//   e' = v_j - v_i - (w_i + w_j)/2 x b,   f = -c_n (e'.n) n - c_s (e' - (e'.n) n)   on j
//   k' = w_j - w_i,                       M = -c_t (k'.n) n - c_b (k' - (k'.n) n)   on j
// with c_n = beta E S / l0, c_s = beta G S / l0, c_b = beta E I / l0, c_t = beta G J / l0.
//
// The parts along n are subtracted from a and m_n of the elastic load immediately; the other parts
// are added in bond_add_up.
typedef struct bond_rate {
    lane3 shift;    // e'                                              [m/s]
    lane3 rotation; // k'                                              [rad/s]
} bond_rate;

LANE_INLINE bond_rate bond_damp(const bond_state *s, const bond_motion *m, const bond_frame *f,
                                bond_elastic *elastic, bond_load *load)
{
    const bond_section *k = &s->section;
    bond_rate rate = {.shift = lane3_sub_cross(m->v_ij, lane3_add(m->w_i, m->w_j), f->half_b),
                      .rotation = lane3_sub(m->w_j, m->w_i)};
    lane along = lane3_dot(rate.shift, f->n), twist = lane3_dot(rate.rotation, f->n);
    lane stretching = NUMBER(k, DAMP_STRETCH_OVER) * along,
         twisting = NUMBER(k, DAMP_TWIST_OVER) * twist;
    elastic->force_n -= stretching, elastic->moment_n -= twisting;
    lane power = lane_fma(stretching, along, twisting * twist);
    power = lane_fma(NUMBER(k, DAMP_BEND), lane3_dot(rate.rotation, rate.rotation), power);
    power = lane_fma(NUMBER(k, DAMP_SHEAR), lane3_dot(rate.shift, rate.shift), power);
    load->damping_power = lane_keep(s->alive, power);
    return rate;
}

LANE_INLINE void bond_add_up(const bond_state *s, const bond_frame *f, const bond_elastic *elastic,
                             const bond_rate *rate, bond_load *load)
{
    const bond_section *k = &s->section;
    lane3 force = lane3_scale(elastic->force_shear, f->shear_vector);
    force = lane3_add_scaled(force, elastic->force_n, f->n);
    force = lane3_keep(s->alive, lane3_sub_scaled(force, NUMBER(k, DAMP_SHEAR), rate->shift));
    lane3 moment = lane3_scale(elastic->moment_n, f->n);
    moment = lane3_add_scaled(moment, elastic->moment_shear, f->shear_vector);
    moment = lane3_sub_scaled(moment, elastic->moment_rho, f->rho);
    moment = lane3_keep(s->alive, lane3_sub_scaled(moment, NUMBER(k, DAMP_BEND), rate->rotation));

    // Lanes without a bond may be NaN, which multiplication by 0 would not clear.
    lane3 arm = lane3_keep(s->alive, lane3_cross(force, f->half_b));
    load->force_j = force;
    load->torque_i = lane3_sub(arm, moment);
    load->torque_j = lane3_add(arm, moment);
}

// For laws with a history, which store a force and a moment on j in `load`: these are taken out
// before bond_add_up and added afterwards.
typedef struct bond_more {
    lane3 force, moment;
} bond_more;

LANE_INLINE bond_more bond_more_of(const bond_load *load)
{
    return (bond_more){load->force_j, load->torque_j};
}

LANE_INLINE void bond_add_more(const bond_state *s, const bond_frame *f, const bond_more *more,
                               bond_load *load)
{
    lane3 force = lane3_keep(s->alive, more->force), moment = lane3_keep(s->alive, more->moment);
    lane3 arm = lane3_keep(s->alive, lane3_cross(force, f->half_b));
    load->force_j = lane3_add(load->force_j, force);
    load->torque_i = lane3_add(load->torque_i, lane3_sub(arm, moment));
    load->torque_j = lane3_add(load->torque_j, lane3_add(arm, moment));
}

// Everything except damping.
LANE_INLINE void bond_strain(bond_law *law, const bond_state *s, lane_series *series, bond_frame *f,
                             bond_elastic *elastic, bond_load *load)
{
    bond_stretch(s, series, f);
    bond_turn(s, series, f);
    law(s, f, series, elastic, load);
}

// Strain, law and damping of one bond.
LANE_INLINE bond_load bond_loads(bond_law *law, bool has_history, const bond_state *s,
                                 const bond_motion *m)
{
    lane_series series = {.short_only = false};
    bond_frame f;
    bond_elastic elastic;
    bond_load load;
    bond_strain(law, s, &series, &f, &elastic, &load);
    bond_more more;
    if (has_history) more = bond_more_of(&load);
    bond_rate rate = bond_damp(s, m, &f, &elastic, &load);
    bond_add_up(s, &f, &elastic, &rate, &load);
    if (has_history) bond_add_more(s, &f, &more, &load);
    return load;
}

LANE_INLINE bond_frame bond_frame_of(const bond_state *s)
{
    lane_series series = {.short_only = false};
    bond_frame f;
    bond_stretch(s, &series, &f);
    bond_turn(s, &series, &f);
    return f;
}
