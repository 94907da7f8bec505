// The kernels for this machine.
#pragma once

#include "models/mpm/kernels/mpm_glue_kernel.h"
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
    sherd_mpm_sweeps_function *sweeps;
    sherd_mpm_seen_function *seen;
    sherd_mpm_crowd_function *crowd;
    sherd_mpm_glue_motion_function *glue_motion;
    sherd_mpm_glue_stress_function *glue_stress;
    sherd_mpm_join_function *join_nodes;
} sherd_mpm_functions;

sherd_mpm_functions sherd_mpm_choose_functions(void);
