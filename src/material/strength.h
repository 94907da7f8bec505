// A bond's stiffness and strength from its material, its direction and random scatter.
#pragma once

#include <sherd/material.h>

// Relaxation time of bond damping: beta = 2 zeta sqrt(m_eff / k_n) [s].
double sherd_material_damping_time(const sherd_material_def *material, double reduced_mass,
                                   double normal_stiffness);

// 1 + lambda (d_g . d_b)^4 for a unit bond direction in the reference frame.          [BDEM21] (30)
double sherd_material_grain_factor(double lambda, sherd_vec3 grain, sherd_vec3 direction);

// Random factor of both strengths of bond `index`: Weibull with mean 1, or 1 without scatter.
double sherd_material_strength_factor(const sherd_material_def *material, uint64_t index);

// G_f of a bond's section [J/m^2], from whichever property is given; 0: bonds break at once.
double sherd_material_fracture_energy(const sherd_material_def *def);
