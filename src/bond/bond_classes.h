// Bonds that are alike have a class: their numbers are stored once, and packets can be made of them.
#pragma once

#include "bond/bonds.h"

enum { SHERD_BOND_MOST_CLASSES = 4096 };

// Rest geometry, stiffness and limits of a bond in the form that kernels use: the fields of
// bond_section (bond_state.h) and bond_limit (breakage.h).
enum {
    SHERD_CLASS_D0, // three
    SHERD_CLASS_HALF_L0 = 3,
    SHERD_CLASS_INVERSE_L0,
    SHERD_CLASS_STRETCH,
    SHERD_CLASS_SHEAR,
    SHERD_CLASS_SHEAR_FORCE,
    SHERD_CLASS_BEND2,
    SHERD_CLASS_TWIST2,
    SHERD_CLASS_BEND_OVER_TWIST2,
    SHERD_CLASS_DAMP_SHEAR,
    SHERD_CLASS_DAMP_STRETCH_OVER,
    SHERD_CLASS_DAMP_BEND,
    SHERD_CLASS_DAMP_TWIST_OVER,
    SHERD_CLASS_BEND_WEIGHT2,
    SHERD_CLASS_TWIST_WEIGHT,
    SHERD_CLASS_NORMAL_LIMIT,
    SHERD_CLASS_SHEAR_LIMIT,
    SHERD_CLASS_NUMBERS,
};

struct sherd_bond_class {
    double number[SHERD_CLASS_NUMBERS];
    float single[SHERD_CLASS_NUMBERS]; // the same, rounded
    sherd_bond_rest rest;              // what they were made from, with a strength factor of 1
};

void sherd_bond_numbers(const sherd_bond_rest *rest, double number[SHERD_CLASS_NUMBERS]);

// Finds the classes of bonds that are cut into `blocks` ranges [begin[b], begin[b + 1]), and sets
// every bond's class_index. Bonds of one class agree in rest geometry and stiffness to 4e-12 and have
// one material. Classes must have a few members in a block; bonds unlike others keep
// SHERD_BOND_OWN + their material.
sherd_status sherd_bonds_classify(sherd_bonds *bonds, const sherd_elements *elements,
                                  const int64_t *begin, int blocks, const sherd_parallel *parallel,
                                  sherd_error *error);
