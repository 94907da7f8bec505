// Bonds that are alike have a class: their numbers are stored once, and packets can be made of them.
#pragma once

#include "bond/bonds.h"

enum { SHERD_BOND_MOST_CLASSES = 4096 };

// What laws and breakage want to know of a bond's rest geometry, stiffness and strength, in the form
// that kernels use. With S = pi r0^2, I = S r0^2 / 4, J = S r0^2 / 2 and the damping's relaxation
// time beta (c = beta k):
enum {
    SHERD_CLASS_D0,           // rest direction i -> j, unit, rest frame; three [-]
    SHERD_CLASS_HALF_L0 = 3,  // l0 / 2                            [m]
    SHERD_CLASS_INVERSE_L0,   // 1 / l0                            [1/m]
    SHERD_CLASS_DAMPING,      // beta / l0                         [s/m]
    SHERD_CLASS_NORMAL_LIMIT, // S sigma_c, infinite = never       [N]
    SHERD_CLASS_SHEAR_LIMIT,  // S tau_c, infinite = never         [N]
    SHERD_SLOT_OWN_NUMBERS,   // what a loose bond stores if it shares its section with others
    SHERD_CLASS_STRETCH = SHERD_SLOT_OWN_NUMBERS, // E S           [N]
    SHERD_CLASS_SHEAR_FORCE,                      // G S           [N]
    SHERD_CLASS_BEND2,                            // 2 E I / l0    [N m]
    SHERD_CLASS_TWIST2,                           // 2 G J / l0    [N m]
    SHERD_CLASS_WEIGHT,                           // 2 / r0        [1/m]
    SHERD_SLOT_NUMBERS, // what it stores otherwise; the others follow, see bond_number

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

struct sherd_bond_class {
    double number[SHERD_CLASS_NUMBERS];
    float single[SHERD_CLASS_NUMBERS]; // the same, rounded
    sherd_bond_rest rest;              // what they were made from, with a strength factor of 1
    uint16_t material;                 // among those of bonds
};

void sherd_bond_numbers(const sherd_bond_rest *rest, double number[SHERD_CLASS_NUMBERS]);

// What bonds of the same E, G and r0 have in common: the numbers of any of them.
typedef struct sherd_bond_common {
    double number[SHERD_CLASS_NUMBERS];
    float single[SHERD_CLASS_NUMBERS]; // the same, rounded
} sherd_bond_common;

sherd_bond_common sherd_bond_common_of(const sherd_bond_rest *rest);

// Finds the classes of bonds that are cut into `blocks` ranges [begin[b], begin[b + 1]), and sets
// every bond's class_index. Bonds of one class agree in rest geometry and stiffness to 4e-12 and have
// one material. Classes must have a few members in a block; bonds unlike others keep
// SHERD_BOND_OWN + their material.
sherd_status sherd_bonds_classify(sherd_bonds *bonds, const sherd_elements *elements,
                                  const int64_t *begin, int blocks, const sherd_parallel *parallel,
                                  sherd_error *error);
