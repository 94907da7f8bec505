#include "models/mpm/kernels/mpm_functions.h"

#include "base/cpu.h"

#define AT(name) SHERD_KERNEL_AT(level, sherd_mpm_##name)

sherd_mpm_functions sherd_mpm_choose_functions(void)
{
    sherd_simd level = sherd_cpu_level();
    return (sherd_mpm_functions){AT(scatter),     AT(gather),    AT(energy),        AT(outline),
                                 AT(stress),      AT(motion),    AT(motion_energy), AT(approach),
                                 AT(sweeps),      AT(seen),      AT(crowd),         AT(glue_motion),
                                 AT(glue_stress), AT(join_nodes)};
}
