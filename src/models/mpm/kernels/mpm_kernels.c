#include "models/mpm/kernels/mpm_kernels.h"

#include "base/cpu.h"

#define AT(name) SHERD_KERNEL_AT(level, sherd_mpm_##name)

sherd_mpm_kernels sherd_mpm_choose_kernels(void)
{
    sherd_simd level = sherd_cpu_level();
    return (sherd_mpm_kernels){
        AT(scatter),     AT(gather),        AT(energy),        AT(moments),      AT(stress),
        AT(motion),      AT(motion_energy), AT(closing),       AT(gauss_seidel), AT(resolved),
        AT(density),     AT(glue_motion),   AT(glue_stress),   AT(join_nodes),   AT(phase_drive),
        AT(phase_local), AT(phase_gather),  AT(phase_scatter), AT(phase_spread)};
}
