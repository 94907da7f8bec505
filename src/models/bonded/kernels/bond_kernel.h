// The hot loop's interface: one block of bonds, compiled once per precision and instruction set.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Sets the elements' loads to those of the block's bonds, leaves the halo's in blocks->halo_load,
// and fills the block's newly broken bonds and damping_power.
typedef void sherd_bond_block_function(const sherd_bonds *bonds, const sherd_bond_blocks *blocks,
                                       sherd_bond_block *block, sherd_elements *elements,
                                       const sherd_bond_scratch *scratch);

// In double precision:
sherd_bond_block_function sherd_bond_block_baseline;
sherd_bond_block_function sherd_bond_block_avx2;   // x86-64 only
sherd_bond_block_function sherd_bond_block_avx512; // x86-64 only
// In single precision:
sherd_bond_block_function sherd_bond_block_single_baseline;
sherd_bond_block_function sherd_bond_block_single_avx2;   // x86-64 only
sherd_bond_block_function sherd_bond_block_single_avx512; // x86-64 only
// In double precision on blocks for mixed, with potentials:
sherd_bond_block_function sherd_bond_block_wide_baseline;
sherd_bond_block_function sherd_bond_block_wide_avx2;   // x86-64 only
sherd_bond_block_function sherd_bond_block_wide_avx512; // x86-64 only

// Adds the loads that one block left for elements of another to them.
typedef void sherd_bond_receive_function(const sherd_bond_blocks *blocks,
                                         const sherd_incoming *part, sherd_elements *elements);

sherd_bond_receive_function sherd_bond_receive_baseline;
sherd_bond_receive_function sherd_bond_receive_avx2;   // x86-64 only
sherd_bond_receive_function sherd_bond_receive_avx512; // x86-64 only
