// A bond's reference geometry, stiffness and strength in the form that kernels use. With S = pi
// r0^2, I = S r0^2 / 4, J = S r0^2 / 2, the relaxation time of damping beta (c = beta k), and the
// law's moduli E and G (bond_stiffness.h):
#pragma once

enum {
    SHERD_CLASS_D0,           // reference direction i -> j, unit, reference frame; three [-]
    SHERD_CLASS_HALF_L0 = 3,  // l0 / 2                            [m]
    SHERD_CLASS_INVERSE_L0,   // 1 / l0                            [1/m]
    SHERD_CLASS_DAMPING,      // beta / l0                         [s/m]
    SHERD_CLASS_NORMAL_LIMIT, // S sigma_c, infinite = never       [N]
    SHERD_CLASS_SHEAR_LIMIT, // S tau_c / w_s, infinite = never, w_s the criterion's weight of shear [N]
    // a loose bond stores the numbers before this one if its section is common to others
    SHERD_SLOT_OWN_NUMBERS,
    SHERD_CLASS_STRETCH = SHERD_SLOT_OWN_NUMBERS, // E S           [N]
    SHERD_CLASS_SHEAR_FORCE,                      // G S           [N]
    SHERD_CLASS_BEND2,                            // 2 E I / l0    [N m]
    SHERD_CLASS_TWIST2,                           // 2 G J / l0    [N m]
    SHERD_CLASS_WEIGHT,                           // 2 / r0        [1/m]
    // otherwise it stores the numbers before this one; bond_number computes the remaining ones
    SHERD_SLOT_NUMBERS,

    SHERD_CLASS_HALF_SHEAR = SHERD_SLOT_NUMBERS, // G S l0 / 2     [N m]
    SHERD_CLASS_BEND_OVER_TWIST2,                // BEND2 - TWIST2 [N m]
    SHERD_CLASS_DAMP_SHEAR,                      // beta G S / l0  [N s/m]
    SHERD_CLASS_DAMP_STRETCH_OVER,               // beta (E S - G S) / l0 [N s/m]
    SHERD_CLASS_DAMP_BEND,                       // beta E I / l0  [N m s]
    SHERD_CLASS_DAMP_TWIST_OVER,                 // beta (G J - E I) / l0 [N m s]
    SHERD_CLASS_BEND_WEIGHT2,                    // (4 BEND2 / r0)^2 [N^2]
    SHERD_CLASS_TWIST_WEIGHT,                    // 2 TWIST2 / r0  [N]
    SHERD_CLASS_NUMBERS,
};
