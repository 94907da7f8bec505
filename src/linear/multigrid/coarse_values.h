// Numbers of levels of clusters, at the present state.
#pragma once

#include "linear/multigrid/coarse_first.h"
#include "linear/multigrid/coarse_kernel.h"

// A level above the first: from its finer level's centres, inertia and springs of edges.
void sherd_coarse_level_refresh(sherd_coarse_level *level, const sherd_coarse_level *finer,
                                const sherd_parallel *parallel);

// Contact springs, once the rest is there: between clusters, and to the ground. Says how many nodes are
// in use, too.
sherd_status sherd_coarse_first_contacts(sherd_coarse_level *level,
                                         const sherd_linear_system *system, sherd_error *error);
sherd_status sherd_coarse_level_contacts(sherd_coarse_level *level, const sherd_coarse_level *finer,
                                         sherd_error *error);

// Damping of smoothers: iterations hardly change between 0.7 and 1.
static const double SHERD_COARSE_OMEGA = 0.9;

// The smoother, once all springs are there.
//   A <= G + 2 sum of S,  as (x - y)' S (x - y) <= 2 x' S x + 2 y' S y,
// so that damping the springs' share alone by omega < 1 converges on every network, and nodes without
// neighbours are solved exactly.
void sherd_coarse_level_smoother(sherd_coarse_level *level, const sherd_coarse_kernels *kernels,
                                 const sherd_parallel *parallel);
