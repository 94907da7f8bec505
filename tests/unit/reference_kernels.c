#include "unit/reference_kernels.h"

#include "base/cpu.h"

sherd_bond_block_function *reference_bond_kernel(sherd_precision precision)
{
    bool single = precision == SHERD_PRECISION_MIXED;
#if defined(SHERD_ALL_LEVELS)
    if (sherd_cpu_level() != SHERD_SIMD_BASELINE)
        return single ? sherd_bond_block_single_scalar_fma : sherd_bond_block_scalar_fma;
#endif
    return single ? sherd_bond_block_single_scalar : sherd_bond_block_scalar;
}

const sherd_pair_kernel *reference_pair_kernel(void)
{
    static const sherd_pair_kernel plain = {sherd_pair_find_scalar, sherd_pair_evaluate_scalar};
#if defined(SHERD_ALL_LEVELS)
    static const sherd_pair_kernel fused = {sherd_pair_find_scalar_fma,
                                            sherd_pair_evaluate_scalar_fma};
    if (sherd_cpu_level() != SHERD_SIMD_BASELINE) return &fused;
#endif
    return &plain;
}
