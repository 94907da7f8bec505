// The kernels for this machine.
#pragma once

#include "models/mpm/kernels/mpm_kernel.h"

typedef struct sherd_mpm_functions {
    sherd_mpm_scatter_function *scatter;
    sherd_mpm_gather_function *gather;
    sherd_mpm_energy_function *energy;
    sherd_mpm_outline_function *outline;
    sherd_mpm_stress_function *stress;
    sherd_mpm_motion_function *motion;
    sherd_mpm_motion_energy_function *motion_energy;
    sherd_mpm_approach_function *approach;
} sherd_mpm_functions;

sherd_mpm_functions sherd_mpm_choose_functions(void);
