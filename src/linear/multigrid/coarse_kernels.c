#include "linear/multigrid/coarse_kernel.h"

#include "base/cpu.h"

const sherd_coarse_kernels *sherd_coarse_kernels_best(void)
{
    return SHERD_KERNEL_AT(sherd_cpu_level(), sherd_coarse_kernels_single);
}
