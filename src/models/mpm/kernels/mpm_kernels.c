#include "models/mpm/kernels/mpm_kernels.h"

#include "base/cpu.h"

#define FUNCTIONS(variant)                                                                         \
    (sherd_mpm_kernels)                                                                            \
    {                                                                                              \
        sherd_mpm_scatter_##variant, sherd_mpm_gather_##variant, sherd_mpm_energy_##variant,       \
            sherd_mpm_moments_##variant, sherd_mpm_stress_##variant, sherd_mpm_motion_##variant,   \
            sherd_mpm_motion_energy_##variant, sherd_mpm_closing_##variant,                        \
            sherd_mpm_gauss_seidel_##variant, sherd_mpm_resolved_##variant,                        \
            sherd_mpm_density_##variant, sherd_mpm_glue_motion_##variant,                          \
            sherd_mpm_glue_stress_##variant, sherd_mpm_join_nodes_##variant                        \
    }

sherd_mpm_kernels sherd_mpm_choose_kernels(void)
{
#if defined(SHERD_CPU_X86)
    switch (sherd_cpu_level()) {
    case SHERD_SIMD_AVX512:
        return FUNCTIONS(avx512);
    case SHERD_SIMD_AVX2:
        return FUNCTIONS(avx2);
    default:
        break;
    }
#endif
    return FUNCTIONS(baseline);
}
