// The hot loop's interface: one block of bonds, compiled once per instruction set.
#pragma once

#include "bond/bonds.h"

// Reads the packed state of all elements and adds to the packed load of the block's own.
typedef void sherd_bond_block_function(const sherd_bonds *bonds, sherd_bond_block *block,
                                       const double *state, double *load);

sherd_bond_block_function sherd_bond_block_scalar;
sherd_bond_block_function sherd_bond_block_baseline;
sherd_bond_block_function sherd_bond_block_avx2;   // x86-64 only
sherd_bond_block_function sherd_bond_block_avx512; // x86-64 only
