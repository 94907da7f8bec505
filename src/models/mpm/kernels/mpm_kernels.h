// The kernels for this machine.
#pragma once

#include "models/mpm/kernels/mpm_glue_kernel.h"
#include "models/mpm/kernels/mpm_kernel_types.h"

typedef struct sherd_mpm_kernels {
    sherd_mpm_scatter_function *scatter;
    sherd_mpm_gather_function *gather;
    sherd_mpm_energy_function *energy;
    sherd_mpm_moments_function *moments;
    sherd_mpm_stress_function *stress;
    sherd_mpm_motion_function *motion;
    sherd_mpm_motion_energy_function *motion_energy;
    sherd_mpm_closing_function *approach;
    sherd_mpm_gauss_seidel_function *sweeps;
    sherd_mpm_resolved_function *resolved;
    sherd_mpm_density_function *crowd;
    sherd_mpm_glue_motion_function *glue_motion;
    sherd_mpm_glue_stress_function *glue_stress;
    sherd_mpm_join_function *join_nodes;
} sherd_mpm_kernels;

sherd_mpm_kernels sherd_mpm_choose_kernels(void);
