// Stress of points.
#pragma once

#include "models/mpm/mpm.h"

#include <sherd/stress.h>

// Cauchy's, tau / J of the present strain as its law would return it, of each point by number. Others are left alone.
void sherd_mpm_find_stresses(const sherd_mpm *m, sherd_stress *stress);
