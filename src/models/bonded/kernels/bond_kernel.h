// Kernels that compute the bonds of one block, compiled once per precision and instruction set.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Sets the loads of the block's own elements to those of its bonds, stores the loads on halo
// elements in blocks->halo_load, and fills the block's newly broken bonds and damping_power.
typedef void sherd_bond_block_function(const sherd_bonds *bonds, const sherd_bond_blocks *blocks,
                                       sherd_bond_block *block, sherd_elements *elements,
                                       const sherd_bond_scratch *scratch);

// Double precision:
sherd_bond_block_function sherd_bond_block_baseline;
sherd_bond_block_function sherd_bond_block_avx2;   // x86-64 only
sherd_bond_block_function sherd_bond_block_avx512; // x86-64 only
// Single precision:
sherd_bond_block_function sherd_bond_block_single_baseline;
sherd_bond_block_function sherd_bond_block_single_avx2;   // x86-64 only
sherd_bond_block_function sherd_bond_block_single_avx512; // x86-64 only
// Double arithmetic on blocks laid out for mixed precision, with potentials:
sherd_bond_block_function sherd_bond_block_wide_baseline;
sherd_bond_block_function sherd_bond_block_wide_avx2;   // x86-64 only
sherd_bond_block_function sherd_bond_block_wide_avx512; // x86-64 only

// Adds the loads that one block computed for the elements of another to these elements.
typedef void sherd_bond_receive_function(const sherd_bond_blocks *blocks,
                                         const sherd_incoming *part, sherd_elements *elements);

sherd_bond_receive_function sherd_bond_receive_baseline;
sherd_bond_receive_function sherd_bond_receive_avx2;   // x86-64 only
sherd_bond_receive_function sherd_bond_receive_avx512; // x86-64 only
