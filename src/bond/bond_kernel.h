// The hot loop's interface: one block of bonds, compiled once per instruction set.
#pragma once

#include "bond/bond_blocks.h"

// Adds the loads of the block's bonds to scratch->load, from scratch->state; fills newly_broken and
// damping_power.
typedef void sherd_bond_block_function(const sherd_bonds *bonds, const sherd_bond_class *classes,
                                       sherd_bond_block *block, const sherd_bond_scratch *scratch);

sherd_bond_block_function sherd_bond_block_scalar;
sherd_bond_block_function sherd_bond_block_scalar_fma; // x86-64 only
sherd_bond_block_function sherd_bond_block_baseline;
sherd_bond_block_function sherd_bond_block_avx2;   // x86-64 only
sherd_bond_block_function sherd_bond_block_avx512; // x86-64 only
