// Bonds that are alike have a class: their numbers are stored once, and packets can be made of them.
#pragma once

#include "laws/bond/bond_numbers.h"
#include "models/bonded/storage/bonds.h"

enum { SHERD_BOND_MOST_CLASSES = 4096 };

struct sherd_bond_class {
    double number[SHERD_CLASS_NUMBERS];
    float single[SHERD_CLASS_NUMBERS]; // the same, rounded
    sherd_bond_rest rest; // the rest geometry and moduli behind them, with a strength factor of 1
    uint16_t material;    // among those of bonds
};

void sherd_bond_numbers(const sherd_bond_rest *rest, double number[SHERD_CLASS_NUMBERS]);

// The common numbers of bonds with the same E, G and r0: those of any of them.
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
