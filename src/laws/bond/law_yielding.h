// Elastic-plastic Cosserat rods: the rod law applied to elastic strains. docs/theory/physics.md 3
//
//   e = (Gamma, l0 Omega) of law_rod.h   e_p: plastic strains, in the reference frame's axes, rotated with the bond
//   q = sqrt(k_n tr.K tr),  tr = e - e_p,  k_n = E S / l0,  N0 = sigma_y S,  H = H_m S / l0
//   f = q - N0 - H alpha > 0:   d alpha = f / (k_n + H),  theta = 1 - k_n d alpha / q,  e - e_p becomes theta tr
//
// Loads are the exact gradient of the incremental potential at a trial state, for a given history:
//
//   W = 1/2 e_e.K e_e + N0 d alpha + 1/2 H (alpha^2 - alpha_n^2)
//
// Here everything is divided by E S and l0: Q = q / (E S), y = sigma_y / E, h = H_m / E, a = alpha
// / l0.
//
// Ends rotated by more than a third of a turn do not yield further, and their energy fades as the
// shear in law_rod.h.
#pragma once

#include "laws/bond/law_rod.h"

// History of a bond, in single precision; the last three values are constants of the bond.
enum {
    BOND_YIELD_SHIFT = 0,      // plastic Gamma, three [-]
    BOND_YIELD_TURN = 3,       // plastic l0 Omega, three [rad]
    BOND_YIELD_ELONGATION = 6, // a, accumulated plastic elongation [-]
    BOND_YIELD_STATE = 7,      // values before this one change
    BOND_YIELD_STRAIN = 7,     // y, 0 = never yields [-]
    BOND_YIELD_HARDENING = 8,  // h [-]
    BOND_YIELD_FRACTURE = 9,   // a at which it breaks, 0 = never [-]
    BOND_YIELD_NUMBERS = 10,
};

// The history is rounded to single precision, and loads are computed from the rounded values.
// Recomputing the same state must change nothing: the stress may exceed the yield stress by this
// fraction, and by some roundings of the plastic strains.
static const real BOND_YIELD_SLACK = (real)1e-5, BOND_YIELD_ROUNDING = (real)1e-6;

// R_c of bond_state.h, unnormalised: with s = q_i + q_j, R v = v + turn (s_w t + s x t), t = s x v.
typedef struct bond_rotation {
    lane3 axis;
    lane w, turn;
} bond_rotation;

LANE_INLINE bond_rotation bond_rotation_of(const bond_state *s, const bond_frame *f,
                                           const lane_series *series)
{
    lane w = lane4_dot(s->q_i, s->q_j);
    lane4 c = bond_nearest(s->q_j, &w, series);
    return (bond_rotation){
        {s->q_i.x + c.x, s->q_i.y + c.y, s->q_i.z + c.z}, s->q_i.w + c.w, f->turn};
}

LANE_INLINE lane3 bond_rotate(const bond_rotation *r, lane3 v)
{
    lane3 t = lane3_cross(r->axis, v);
    return lane3_add_scaled(v, r->turn, lane3_add_scaled(lane3_cross(r->axis, t), r->w, t));
}

LANE_INLINE lane3 bond_rotate_back(const bond_rotation *r, lane3 v)
{
    lane3 t = lane3_cross(r->axis, v);
    return lane3_add_scaled(v, r->turn, lane3_sub_scaled(lane3_cross(r->axis, t), r->w, t));
}

// across v + over (d.v) d
LANE_INLINE lane3 bond_split(lane across, lane over, lane3 d, lane3 v)
{
    return lane3_add_scaled(lane3_scale(across, v), over * lane3_dot(d, v), d);
}

// Elastic strains and the stresses that they cause: F = C_Gamma Gamma_e [N], M = C_Omega Omega_e [N
// m].
typedef struct bond_yield_stress {
    lane3 shift, turn, force, moment;
    lane square; // Q^2
} bond_yield_stress;

LANE_INLINE bond_yield_stress bond_yield_stress_of(const bond_section *k, lane3 d, lane3 shift,
                                                   lane3 turn)
{
    lane ES = NUMBER(k, STRETCH), shear = NUMBER(k, SHEAR_FORCE);
    lane bend = LANE_HALF * NUMBER(k, BEND2), over = -LANE_HALF * NUMBER(k, BEND_OVER_TWIST2);
    bond_yield_stress e = {.shift = shift,
                           .turn = turn,
                           .force = bond_split(shear, ES - shear, d, shift),
                           .moment = bond_split(bend, over, d, turn)};
    lane turning = NUMBER(k, INVERSE_L0) * lane3_dot(turn, e.moment);
    e.square = (lane3_dot(shift, e.force) + turning) / ES;
    return e;
}

LANE_INLINE lane3 bond_history3(const lane *history, int first)
{
    return (lane3){history[first], history[first + 1], history[first + 2]};
}

LANE_INLINE lane bond_single(lane v)
{
#if defined(SHERD_SINGLE)
    return v;
#else
    real each[SHERD_LANES];
    lane_store(each, v);
    for (int k = 0; k < SHERD_LANES; ++k)
        each[k] = (real)(float)each[k];
    return lane_load(each);
#endif
}

// The elastic predictor: strains minus plastic strains of the history, and which lanes exceed the
// yield stress.
typedef struct bond_trial {
    bond_rotation r;
    lane3 d, shift, turn; // total strains
    bond_yield_stress stress;
    lane bound, hardening;
    lane_mask yields;
} bond_trial;

LANE_INLINE bond_trial bond_trial_of(const bond_state *s, const bond_frame *f, lane_series *series)
{
    const lane *before = s->history;
    bond_trial t = {.r = bond_rotation_of(s, f, series),
                    .d = lane3_add(f->n, f->shear_vector),
                    .hardening = before[BOND_YIELD_HARDENING]};
    lane root = lane_root_of_2_over_1_plus(f->w, series);
    t.shift = lane3_scaled_sub(f->stretch, f->n, f->shear_vector);
    t.turn = lane3_scale(root + root, f->rho);
    lane3 shift = lane3_sub(t.shift, bond_rotate(&t.r, bond_history3(before, BOND_YIELD_SHIFT)));
    lane3 turn = lane3_sub(t.turn, bond_rotate(&t.r, bond_history3(before, BOND_YIELD_TURN)));
    t.stress = bond_yield_stress_of(&s->section, t.d, shift, turn);
    lane y = before[BOND_YIELD_STRAIN], grown = before[BOND_YIELD_ELONGATION];
    t.bound = lane_fma(t.hardening, grown, y);
    lane limit = t.bound;
    if (!s->trial)
        limit = lane_fma(lane_of(BOND_YIELD_SLACK), y,
                         lane_fma(lane_of(BOND_YIELD_ROUNDING), grown, limit));
    t.yields = lane_greater(t.stress.square, limit * limit) & lane_greater(y, lane_of(0)) &
               lane_not(bond_rod_is_folded(f)) & s->alive;
    return t;
}

// The factor theta of the return mapping; *grows: the increment of a.
LANE_INLINE lane bond_return_factor(const bond_trial *t, lane *grows)
{
    lane Q = lane_sqrt(lane_max(t->stress.square, lane_of((real)1e-30)));
    *grows = lane_keep(t->yields, (Q - t->bound) / (1 + t->hardening));
    return lane_select(t->yields, 1 - *grows / Q, lane_of(1));
}

LANE_INLINE lane bond_store_number(lane_mask yields, bool trial, lane now, lane before)
{
    return lane_select(yields, trial ? now : bond_single(now), before);
}

LANE_INLINE void bond_store_strain(const bond_state *s, lane_mask yields, int first, lane3 more)
{
    const lane *from = s->history + first;
    lane *to = s->new_history + first;
    to[0] = bond_store_number(yields, s->trial, from[0] + more.x, from[0]);
    to[1] = bond_store_number(yields, s->trial, from[1] + more.y, from[1]);
    to[2] = bond_store_number(yields, s->trial, from[2] + more.z, from[2]);
}

// Radial return: updates the plastic strains and the stress.
LANE_INLINE void bond_yield(const bond_state *s, bond_trial *t)
{
    lane grows, gone = 1 - bond_return_factor(t, &grows);
    lane *after = s->new_history;
    lane3 shift = lane3_scale(gone, t->stress.shift), turn = lane3_scale(gone, t->stress.turn);
    bond_store_strain(s, t->yields, BOND_YIELD_SHIFT, bond_rotate_back(&t->r, shift));
    bond_store_strain(s, t->yields, BOND_YIELD_TURN, bond_rotate_back(&t->r, turn));
    after[BOND_YIELD_ELONGATION] =
        bond_store_number(t->yields, s->trial, s->history[BOND_YIELD_ELONGATION] + grows,
                          s->history[BOND_YIELD_ELONGATION]);
    shift = lane3_sub(t->shift, bond_rotate(&t->r, bond_history3(after, BOND_YIELD_SHIFT)));
    turn = lane3_sub(t->turn, bond_rotate(&t->r, bond_history3(after, BOND_YIELD_TURN)));
    t->stress = bond_yield_stress_of(&s->section, t->d, shift, turn);
}

// Quantities for the breakage criterion, from the elastic strains.
LANE_INLINE void bond_yielding_criterion(const bond_state *s, const bond_trial *t, bond_load *load)
{
    lane normal = lane3_dot(t->stress.force, t->d), twist = lane3_dot(t->stress.turn, t->d);
    lane3 shear = lane3_sub_scaled(t->stress.force, normal, t->d);
    lane3 bend = lane3_sub_scaled(t->stress.turn, twist, t->d);
    load->normal_force = normal;
    load->shear_force2 = lane3_dot(shear, shear);
    load->bending2 = LANE_QUARTER * lane3_dot(bend, bend);
    load->twisting = LANE_HALF * twist;
    lane limit = s->history[BOND_YIELD_FRACTURE];
    lane_mask breaks = lane_greater(limit, lane_of(0));
    lane fraction = s->new_history[BOND_YIELD_ELONGATION] / lane_select(breaks, limit, lane_of(1));
    load->exhaustion = lane_keep(breaks, fraction);
}

// The force has any direction, so it is added to a n + s (d - n) of bond_elastic.
LANE_INLINE void bond_yielding_loads(const bond_state *s, const bond_frame *f, const bond_trial *t,
                                     lane_series *series, bond_load *load)
{
    const bond_section *k = &s->section;
    lane fading = f->fold_fading;
    load->stored = fading * (NUMBER(k, STRETCH) * NUMBER(k, HALF_L0) * t->stress.square);
    load->force_j = lane3_scale(-fading, t->stress.force);
    lane3 turned = lane3_scale(f->turn, f->rho), half = lane3_scale(lane_of(LANE_HALF), turned);
    lane root = fading * lane_root_of_2_over_1_plus(f->w, series);
    lane3 bent = lane3_sub_scaled(t->stress.moment, lane3_dot(f->rho, t->stress.moment), half);
    lane3 couple = lane3_cross(load->force_j, f->half_b);
    load->torque_j = lane3_sub_scaled(lane3_cross(turned, couple), root, bent);
    if (series->short_only) return;
    lane slope = LANE_HALF * f->fold_fading_slope;
    lane whole = NUMBER(k, STRETCH) * NUMBER(k, HALF_L0) * t->stress.square;
    load->torque_j = lane3_add_scaled(load->torque_j, slope * whole, f->rho);
}

LANE_INLINE void bond_law_yielding(const bond_state *s, const bond_frame *f, lane_series *series,
                                   bond_elastic *elastic, bond_load *load)
{
    bond_trial t = bond_trial_of(s, f, series);
    for (int n = 0; n < BOND_YIELD_NUMBERS; ++n)
        s->new_history[n] = s->history[n];
    if (lane_any(t.yields)) bond_yield(s, &t);
    *elastic = (bond_elastic){lane_of(0), lane_of(0), lane_of(0), lane_of(0), lane_of(0)};
    bond_yielding_criterion(s, &t, load);
    bond_yielding_loads(s, f, &t, series, load);
}

// Plastic work for this history, N0 alpha + 1/2 H alpha^2, over E S l0.
LANE_INLINE lane bond_yield_work(const lane *history)
{
    lane grown = history[BOND_YIELD_ELONGATION];
    return grown *
           lane_fma(LANE_HALF * history[BOND_YIELD_HARDENING], grown, history[BOND_YIELD_STRAIN]);
}

// The incremental potential W of a trial state [J].
LANE_INLINE lane bond_potential_yielding(const bond_state *s, const bond_frame *f,
                                         const bond_load *load)
{
    (void)f;
    const bond_section *k = &s->section;
    lane grown = bond_yield_work(s->new_history) - bond_yield_work(s->history);
    return lane_fma(2 * NUMBER(k, STRETCH) * NUMBER(k, HALF_L0), grown, load->stored);
}

// Elastic energy of the bond, without plastic work [J].
LANE_INLINE lane bond_energy_yielding(const bond_state *s)
{
    lane_series series = {.short_only = false};
    bond_frame f = bond_frame_of(s);
    bond_elastic elastic;
    bond_load load;
    bond_law_yielding(s, &f, &series, &elastic, &load);
    return load.stored;
}

// theta K - c (K tr)(K tr)',  c = (theta - H/(k_n + H)) k_n / q^2: theta, then sqrt(c) K tr, a force and a moment.
enum { BOND_YIELD_TANGENT = 8 }; // one unused
LANE_INLINE void bond_yielding_stiffness(const bond_state *s, lane to[BOND_YIELD_TANGENT])
{
    lane_series series = {.short_only = false};
    bond_frame f = bond_frame_of(s);
    bond_trial t = bond_trial_of(s, &f, &series);
    lane grows, theta = bond_return_factor(&t, &grows);
    lane over = lane_max(theta - t.hardening / (1 + t.hardening), lane_of(0));
    lane square = lane_max(t.stress.square, lane_of((real)1e-30));
    // k_n / q^2 = 1 / (E S l0 Q^2)
    lane c = over / (2 * NUMBER(&s->section, STRETCH) * NUMBER(&s->section, HALF_L0) * square);
    c = lane_keep(t.yields, lane_sqrt(c));
    lane3 force = lane3_scale(c, t.stress.force), moment = lane3_scale(c, t.stress.moment);
    const lane all[BOND_YIELD_TANGENT] = {theta,    force.x,  force.y,  force.z,
                                          moment.x, moment.y, moment.z, lane_of(0)};
    for (int n = 0; n < BOND_YIELD_TANGENT; ++n)
        to[n] = all[n];
}

enum { bond_symmetry_yielding = BOND_ABOUT_SECTIONS };

// The elastic stiffness.
LANE_INLINE bond_tangent bond_tangent_yielding(const bond_reference_stiffness *k, lane inverse,
                                               bool tension)
{
    return bond_tangent_rod(k, inverse, tension);
}

static inline void bond_stiffness_yielding(double x, sherd_bond_stiffness *k)
{
    bond_stiffness_rod(x, k);
}

static inline sherd_bond_moduli bond_moduli_yielding(const sherd_material_def *material, double E,
                                                     double G)
{
    return bond_moduli_rod(material, E, G);
}

static inline double bond_stable_tension_yielding(const sherd_bond_moduli *m)
{
    return bond_stable_tension_rod(m);
}
