// The kernels of bonds and pairs for one number at a time: what all wider ones must equal bit for bit.
#pragma once

#include "contact/explicit/pair_contact.h"
#include "models/bonded/kernels/bond_kernel.h"

// Each, and its twin with fused multiply-adds (x86-64 only):
sherd_bond_block_function sherd_bond_block_scalar, sherd_bond_block_single_scalar;
sherd_bond_block_function sherd_bond_block_scalar_fma, sherd_bond_block_single_scalar_fma;
sherd_pair_find_function sherd_pair_find_scalar, sherd_pair_find_scalar_fma;
sherd_pair_evaluate_function sherd_pair_evaluate_scalar, sherd_pair_evaluate_scalar_fma;

// With fused multiply-adds where the widest kernels of this machine, or of SHERD_SIMD, have them.
sherd_bond_block_function *reference_bond_kernel(sherd_precision precision);
const sherd_pair_kernel *reference_pair_kernel(void);
