// A bond's rest geometry, stiffness and strength in the form that the kernels of laws and breakage use. With
// S = pi r0^2, I = S r0^2 / 4, J = S r0^2 / 2, the damping's relaxation time beta (c = beta k), and E, G the law's
// moduli (bond_stiffness.h):
#pragma once

enum {
    SHERD_CLASS_D0,           // rest direction i -> j, unit, rest frame; three [-]
    SHERD_CLASS_HALF_L0 = 3,  // l0 / 2                            [m]
    SHERD_CLASS_INVERSE_L0,   // 1 / l0                            [1/m]
    SHERD_CLASS_DAMPING,      // beta / l0                         [s/m]
    SHERD_CLASS_NORMAL_LIMIT, // S sigma_c, infinite = never       [N]
    SHERD_CLASS_SHEAR_LIMIT, // S tau_c / w_s, infinite = never, w_s the criterion's weight of shear [N]
    SHERD_SLOT_OWN_NUMBERS, // numbers that a loose bond stores if it shares its section with others
    SHERD_CLASS_STRETCH = SHERD_SLOT_OWN_NUMBERS, // E S           [N]
    SHERD_CLASS_SHEAR_FORCE,                      // G S           [N]
    SHERD_CLASS_BEND2,                            // 2 E I / l0    [N m]
    SHERD_CLASS_TWIST2,                           // 2 G J / l0    [N m]
    SHERD_CLASS_WEIGHT,                           // 2 / r0        [1/m]
    SHERD_SLOT_NUMBERS, // those that it stores otherwise; the others follow, see bond_number

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
