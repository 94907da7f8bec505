#include "linear/multigrid/coarse_kernel.h"

#include "base/cpu.h"

const sherd_coarse_kernels *sherd_coarse_kernels_best(void)
{
    switch (sherd_cpu_level()) {
#if defined(SHERD_CPU_X86)
    case SHERD_SIMD_AVX512:
        return &sherd_coarse_kernels_single_avx512;
    case SHERD_SIMD_AVX2:
        return &sherd_coarse_kernels_single_avx2;
#endif
    default:
        return &sherd_coarse_kernels_single_baseline;
    }
}
