// The Cosserat rod between two elements.                  [RBDEM] (13)-(23), rotated as docs/theory/physics.md 2 says
//
//   V = l0/2 (Gamma.C_Gamma Gamma + Omega.C_Omega Omega),   Gamma = (p_j - p_i)/l0 - d,   Omega = 2/l0 sqrt(2 turn) rho
//   C_Gamma = kappa G S + Delta d d',  C_Omega = E I + (G J - E I) d d',  Delta = E S - kappa G S
//
// in the world's axes. With lambda = l / l0, u = |d - n|^2 / 2 = 1 - n.d and eta = rho.d that is
//
//   V = 1/2 E S l0 (lambda - 1)^2 + D + 4/l0 [E I (1 - w) + (G J - E I) eta^2 / (1 + w)]
//   D = 1/2 l0 [2 lambda u (kappa G S lambda - E S (lambda - 1)) + (lambda u)^2 Delta]
//
// Normal and shear are along and across d, the sections' normal, where other laws use the bond's
// direction n. A rod stretched by more than 1 / (1 - kappa G / E) is unstable in shear: D becomes
// negative (bond_stable_tension_rod).
//
// Where the ends are rotated by half a turn (bond_fold_fading), d jumps. So beyond a third of a
// turn, w < 1/2, terms that depend on d fade:
//
//   V = 1/2 E S l0 (lambda - 1)^2 + h D + 4/l0 [E I (3/4 - 4 w^3 + 4 w^4) + (G J - E I) eta^2 (7 - 4 w^2) / 9]
//
// which has the same value and slope at w = 1/2, and zero slope over w at 0: there rho and -rho are
// the same rotation.
//
// Loads are the exact gradient: w, eta and d change as in law_quaternion.h.
#pragma once

#include "laws/bond/bond_state.h"
#include "laws/bond/bond_stiffness.h"
#include "laws/bond/bond_tangent.h"

static const double BOND_ROD_SHEAR_CORRECTION =
    5.0 / 6.0; // kappa of a circular section, [RBDEM] after (17)

// Contributions to D of both shear stiffnesses.
LANE_INLINE lane bond_rod_shearing(const bond_section *k, const bond_frame *f, lane shrink)
{
    lane ES = NUMBER(k, STRETCH), shear = NUMBER(k, SHEAR_FORCE);
    lane across = lane_fnma(ES, f->stretch, lane_fma(shear, f->stretch, shear));
    return NUMBER(k, HALF_L0) * shrink * lane_fma(shrink, ES - shear, across + across);
}

// For folded ends this replaces 1 / (1 + w) in the twist.
LANE_INLINE lane bond_rod_folded_twist(lane w)
{
    return lane_fnma((real)(4.0 / 9.0) * w, w, lane_of((real)(7.0 / 9.0)));
}

LANE_INLINE lane_mask bond_rod_is_folded(const bond_frame *f)
{
    return lane_greater(lane_of(LANE_HALF), f->w);
}

// m_r of folded ends. The derivative of the twist's factor by w is -8/9 w.
LANE_INLINE lane bond_rod_folded_moment(const bond_section *k, const bond_frame *f, lane shrink,
                                        lane eta, lane over)
{
    lane slope = (real)(-8.0 / 9.0) * f->w * NUMBER(k, BEND_OVER_TWIST2);
    lane moment = lane_fma(over * f->turn, eta, slope * eta * eta);
    moment = lane_fma(f->fold_fading, NUMBER(k, BEND2), moment);
    return lane_fnma(LANE_HALF * f->fold_fading_slope, bond_rod_shearing(k, f, shrink), moment);
}

LANE_INLINE void bond_law_rod(const bond_state *s, const bond_frame *f, lane_series *series,
                              bond_elastic *elastic, bond_load *load)
{
    const bond_section *k = &s->section;
    const lane half = lane_of(LANE_HALF);

    // Force on j: -C_Gamma Gamma, with Gamma = lambda n - d and Gamma.d = stretch - lambda u.
    lane ES = NUMBER(k, STRETCH), shear = NUMBER(k, SHEAR_FORCE), over_shear = ES - shear;
    lane lambda = 1 + f->stretch, shrink = half * f->shear_vector2 * lambda; // lambda u
    lane faded = f->fold_fading * shrink;
    elastic->force_n = lane_fma(over_shear, faded, -(ES * f->stretch));
    elastic->force_shear = f->fold_fading * lane_fnma(over_shear, f->stretch - shrink, shear);

    // Moments: -C_Omega Omega, and the effect of rotating d, as for the quaternion law.
    bool may_fold = !series->short_only;
    lane twist = f->turn;
    if (may_fold) twist = lane_select(bond_rod_is_folded(f), bond_rod_folded_twist(f->w), twist);
    lane rho_n = lane3_dot(f->rho, f->n), rho_shear = lane3_dot(f->rho, f->shear_vector);
    lane eta = rho_n + rho_shear;
    lane over = (twist + twist) * NUMBER(k, BEND_OVER_TWIST2) * eta;
    lane skew = elastic->force_shear * (NUMBER(k, HALF_L0) * lambda) * f->turn;
    elastic->moment_n = lane_fnma(skew, rho_shear, over);
    elastic->moment_shear = lane_fma(skew, rho_n, over);
    elastic->moment_rho = lane_fma(half * over * f->turn, eta, NUMBER(k, BEND2));
    if (may_fold)
        elastic->moment_rho =
            lane_select(bond_rod_is_folded(f), bond_rod_folded_moment(k, f, shrink, eta, over),
                        elastic->moment_rho);

    // [RBDEM] (24), (25), (29): S, not kappa S, in the normal stress.
    lane across = f->fold_fading * shear * lambda;
    load->normal_force = ES * (f->stretch - faded);
    load->shear_force2 = across * across * bond_sine2(f);
    load->bending2 = (f->turn + f->turn) * lane_fnma(eta, eta, lane3_dot(f->rho, f->rho));
    load->twisting = lane_root_of_2_over_1_plus(f->w, series) * eta;
}

// V of the same bond [J], from its frame and load.
LANE_INLINE lane bond_potential_rod(const bond_state *s, const bond_frame *f, const bond_load *load)
{
    const bond_section *k = &s->section;
    lane shrink = LANE_HALF * f->shear_vector2 * (1 + f->stretch);
    lane twisting2 = load->twisting * load->twisting;
    lane turning = lane_fma(NUMBER(k, BEND2), load->bending2, NUMBER(k, TWIST2) * twisting2);
    lane_mask folded = bond_rod_is_folded(f);
    if (__builtin_expect(lane_any(folded), 0)) {
        lane w2 = f->w * f->w, eta2 = lane3_dot(f->rho, f->n) + lane3_dot(f->rho, f->shear_vector);
        eta2 = eta2 * eta2;
        lane bend = (real)0.75 - 4 * w2 * f->w * (1 - f->w);
        lane over = NUMBER(k, BEND_OVER_TWIST2) * bond_rod_folded_twist(f->w);
        turning = lane_select(folded, 2 * lane_fnma(over, eta2, NUMBER(k, BEND2) * bend), turning);
    }
    lane stretching = NUMBER(k, STRETCH) * NUMBER(k, HALF_L0) * f->stretch * f->stretch;
    return stretching + f->fold_fading * bond_rod_shearing(k, f, shrink) + turning;
}

// V of the same bond [J].
LANE_INLINE lane bond_energy_rod(const bond_state *s)
{
    lane_series series = {.short_only = false};
    bond_frame f = bond_frame_of(s);
    bond_elastic elastic;
    bond_load load;
    bond_law_rod(s, &f, &series, &elastic, &load);
    return bond_potential_rod(s, &f, &load);
}

enum { bond_symmetry_rod = BOND_ABOUT_SECTIONS };

// The stiffness across the sections' normal is kappa G S / l0, whatever the present length.
LANE_INLINE bond_tangent bond_tangent_rod(const bond_reference_stiffness *k, lane inverse,
                                          bool tension)
{
    (void)inverse, (void)tension;
    return (bond_tangent){.along = k->along,
                          .across = k->shear / (k->half_l0 * k->half_l0),
                          .bend = k->bend,
                          .twist_over = k->twist_over};
}

// The stiffness does not depend on the length.
static inline void bond_stiffness_rod(double x, sherd_bond_stiffness *k)
{
    (void)x, (void)k;
}

static inline sherd_bond_moduli bond_moduli_rod(const sherd_material_def *material, double E,
                                                double G)
{
    return sherd_bond_corrected_moduli(material, BOND_ROD_SHEAR_CORRECTION, E, G);
}

// The stress at which D becomes negative: E (lambda - 1) at lambda = 1 / (1 - kappa G / E).
static inline double bond_stable_tension_rod(const sherd_bond_moduli *m)
{
    return m->shear < m->stretch ? m->stretch * m->shear / (m->stretch - m->shear) : INFINITY;
}
