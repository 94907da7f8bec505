// A bond that resists stretch only: springs, and the bonds of bond-based peridynamics.
//
//   V = 1/2 E S l0 x^2,  x = l / l0 - 1,   F_j = -E S x n
//
// with the section S of models/bonded/storage/bond_horizon.h. For springs it is that of elements
// that touch. For peridynamics E S = c V_i V_j, so that V is Silling and Askari's c V_i V_j x^2 l0 / 2
// (2005) and E x the stress that breaks a bond of stretch x.
//
// There are no torques, so orientations have no effect.
#pragma once

#include "laws/bond/bond_state.h"
#include "laws/bond/bond_stiffness.h"
#include "laws/bond/bond_tangent.h"

LANE_INLINE void bond_law_central(const bond_state *s, const bond_frame *f, lane_series *series,
                                  bond_elastic *elastic, bond_load *load)
{
    (void)series;
    const lane none = lane_of(0);
    lane normal = NUMBER(&s->section, STRETCH) * f->stretch;
    *elastic = (bond_elastic){-normal, none, none, none, none};
    load->normal_force = normal;
    load->shear_force2 = load->bending2 = load->twisting = none;
}

// V of the same bond [J], from its frame and load.
LANE_INLINE lane bond_potential_central(const bond_state *s, const bond_frame *f,
                                        const bond_load *load)
{
    return NUMBER(&s->section, HALF_L0) * load->normal_force * f->stretch;
}

// V of the same bond [J].
LANE_INLINE lane bond_energy_central(const bond_state *s)
{
    lane_series series = {.short_only = false};
    bond_frame f;
    bond_stretch(s, &series, &f);
    return NUMBER(&s->section, HALF_L0) * NUMBER(&s->section, STRETCH) * f.stretch * f.stretch;
}

enum { bond_symmetry_central = BOND_ABOUT_DIRECTION };

// A bond in tension resists motion across it by F / l, as the quaternion law's does.
LANE_INLINE bond_tangent bond_tangent_central(const bond_reference_stiffness *k, lane inverse,
                                              bool tension)
{
    const lane none = lane_of(0);
    bond_tangent t = {.along = k->along, .across = none, .bend = none, .twist_over = none};
    if (tension) {
        lane stretched = 1 - k->half_l0 * lane_sqrt(inverse);
        t.pull = k->tension * lane_max(stretched, none);
    }
    return t;
}

// The stiffness along the bond does not depend on the length.
static inline void bond_stiffness_central(double x, sherd_bond_stiffness *k)
{
    (void)x, (void)k;
}

static inline sherd_bond_moduli bond_moduli_central(const sherd_material_def *material, double E,
                                                    double G)
{
    (void)material, (void)G;
    return (sherd_bond_moduli){.stretch = E};
}

static inline double bond_stable_tension_central(const sherd_bond_moduli *m)
{
    (void)m;
    return INFINITY;
}

// Damping of the stretch alone (bond_damp): other rates meet no resistance.
LANE_INLINE void bond_damp_central(const bond_state *s, lane3 v_ij, lane3 n, bond_elastic *elastic,
                                   lane *power)
{
    lane along = lane3_dot(v_ij, n);
    lane stretching = NUMBER(&s->section, DAMP_STRETCH_OVER) * along;
    elastic->force_n -= stretching;
    *power = lane_keep(s->alive, stretching * along);
}
