// Classes of bonds with equal constants, which are stored once for the class. Packets are made of
// bonds of one class.
#pragma once

#include "laws/bond/bond_numbers.h"
#include "models/bonded/storage/bonds.h"

enum { SHERD_BOND_MAX_CLASSES = 4096 };

struct sherd_bond_class {
    double number[SHERD_CLASS_NUMBERS];
    float single[SHERD_CLASS_NUMBERS]; // the same, in single precision
    // the reference geometry and moduli they were computed from, with a strength factor of 1
    sherd_bond_constants constants;
    uint16_t material; // index among the bonds' materials
};

void sherd_bond_numbers(const sherd_bond_constants *constants, double number[SHERD_CLASS_NUMBERS]);

// The constants that bonds with the same E, G and r0 have in common.
typedef struct sherd_bond_common {
    double number[SHERD_CLASS_NUMBERS];
    float single[SHERD_CLASS_NUMBERS]; // the same, in single precision
} sherd_bond_common;

sherd_bond_common sherd_bond_common_of(const sherd_bond_constants *constants);

// Finds the classes of bonds that are divided into `blocks` ranges [begin[b], begin[b + 1]), and
// sets the class_index of every bond. Bonds of one class agree in reference geometry and stiffness
// to 4e-12 and have one material. A class must have several members in a block; the class_index of
// all other bonds is SHERD_BOND_OWN + their material.
sherd_status sherd_bonds_classify(sherd_bonds *bonds, const sherd_elements *elements,
                                  const int64_t *begin, int blocks, const sherd_parallel *parallel,
                                  sherd_error *error);
