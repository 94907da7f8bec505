// A law for tests: the quaternion law with other moduli and another stretch. With e = l / l0 - 1 and h the largest |e|
// that the bond remembers,
//   V = V_quaternion + l0 E S (1/2 (s - 1) e^2 + 1/4 HARD e^4),   s = 1 / (1 + SOFT h)
#pragma once

#include "laws/bond/law_quaternion.h"

static const real TOY_HARD = 30, TOY_SOFT = 5;

// dV/de / l0 of what it has besides the quaternion law [N]
LANE_INLINE lane bond_toy_force(const bond_state *s, lane stretch)
{
    lane softer = 1 / (1 + TOY_SOFT * s->history[0]) - 1;
    return NUMBER(&s->section, STRETCH) * stretch * (softer + TOY_HARD * stretch * stretch);
}

LANE_INLINE lane bond_toy_potential(const bond_state *s, lane stretch)
{
    const bond_section *k = &s->section;
    lane softer = 1 / (1 + TOY_SOFT * s->history[0]) - 1, square = stretch * stretch;
    return NUMBER(k, STRETCH) * NUMBER(k, HALF_L0) * square *
           (softer + LANE_HALF * TOY_HARD * square);
}

LANE_INLINE void bond_law_toy(const bond_state *s, const bond_frame *f, lane_series *series,
                              bond_elastic *elastic, bond_load *load)
{
    bond_law_quaternion(s, f, series, elastic, load);
    lane more = bond_toy_force(s, f->stretch);
    elastic->force_n -= more;
    load->normal_force += more;
    s->new_history[0] = lane_max(s->history[0], lane_abs(f->stretch));
    load->force_j = load->torque_j = (lane3){lane_of(0), lane_of(0), lane_of(0)};
    load->exhaustion = lane_of(0);
}

LANE_INLINE lane bond_potential_toy(const bond_state *s, const bond_frame *f, const bond_load *load)
{
    return bond_potential_quaternion(s, f, load) + bond_toy_potential(s, f->stretch);
}

LANE_INLINE lane bond_energy_toy(const bond_state *s)
{
    bond_frame f = bond_frame_of(s);
    return bond_energy_quaternion(s) + bond_toy_potential(s, f.stretch);
}

enum { bond_symmetry_toy = BOND_ABOUT_DIRECTION };

LANE_INLINE bond_tangent bond_tangent_toy(const bond_reference_stiffness *k, lane inverse,
                                          bool tension)
{
    bond_tangent t = bond_tangent_quaternion(k, inverse, tension);
    lane stretch = 1 / (k->half_l0 * lane_sqrt(inverse)) - 1;
    t.along = k->along * (1 + 3 * TOY_HARD * stretch * stretch);
    return t;
}

static inline void bond_stiffness_toy(double x, sherd_bond_stiffness *k)
{
    double stretch = 1.0 / x - 1.0;
    bond_stiffness_quaternion(x, k);
    k->stretch = k->stretch * (1.0 + 3.0 * (double)TOY_HARD * stretch * stretch);
}

static inline sherd_bond_moduli bond_moduli_toy(const sherd_material_def *material, double E,
                                                double G)
{
    (void)material;
    return (sherd_bond_moduli){.stretch = E, .shear = 0.8 * G, .bend = 4.0 * E, .twist = G};
}

static inline double bond_stable_tension_toy(const sherd_bond_moduli *m)
{
    return 0.5 * m->shear;
}
