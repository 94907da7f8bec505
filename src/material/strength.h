// A bond's stiffness and strength from its material, its direction and random scatter.
#pragma once

#include <sherd/material.h>

#include <stdbool.h>

// Relaxation time of bond damping: beta = 2 zeta sqrt(m_eff / k_n) [s].
double sherd_material_damping_time(const sherd_material_def *material, double reduced_mass,
                                   double normal_stiffness);

// 1 + lambda (d_g . d_b)^4 for a unit bond direction in the reference frame.          [BDEM21] (30)
double sherd_material_grain_factor(double lambda, sherd_vec3 grain, sherd_vec3 direction);

// Random factor of both strengths of bond `index`: Weibull with mean 1, or 1 without scatter.
double sherd_material_strength_factor(const sherd_material_def *material, uint64_t index);

// G_f of a bond's section [J/m^2], from whichever property is given; 0: bonds break at once, as those
// of peridynamics do.
double sherd_material_fracture_energy(const sherd_material_def *def);

// Reach of bonds with the law CENTRAL, in spacings, the default of its form included.
double sherd_material_reach(const sherd_material_def *def);

// Peridynamic forms, lengths in spacings: the part of an element at this distance that lies within the
// horizon, weighted at its centroid (docs/papers/springs-and-peridynamics.md).
double sherd_material_horizon_weight(const sherd_material_def *def, double length);

// Their c / E [1/m^4], for this spacing [m].
double sherd_material_micromodulus(const sherd_material_def *def, double spacing);

bool sherd_material_is_peridynamic(const sherd_material_def *def);

// Stretch at which bonds of a material with the law CENTRAL break, from its fracture energy and
// horizon [m], or from its strength; INFINITY: never.
double sherd_material_critical_stretch(const sherd_material_def *def, double horizon);
