// Matrices of cluster levels at the present state.
#pragma once

#include "linear/multigrid/coarse_finest.h"
#include "linear/multigrid/coarse_kernel.h"

// Coarser levels: from the next finer level's centres, inertia and springs of edges.
void sherd_coarse_level_refresh(sherd_coarse_level *level, const sherd_coarse_level *finer,
                                const sherd_parallel *parallel);

// Contact springs, after the other springs: between clusters, and to the ground. Also sets the
// number of used nodes.
sherd_status sherd_coarse_first_contacts(sherd_coarse_level *level,
                                         const sherd_linear_system *system, sherd_error *error);
sherd_status sherd_coarse_level_contacts(sherd_coarse_level *level, const sherd_coarse_level *finer,
                                         sherd_error *error);

// Damping of smoothers: iterations hardly change between 0.7 and 1.
static const double SHERD_COARSE_OMEGA = 0.9;

// Computes the smoother, after all springs are set.
//   A <= G + 2 sum of S,  as (x - y)' S (x - y) <= 2 x' S x + 2 y' S y,
// so that damping the springs' part alone by omega < 1 converges on every network, and nodes
// without neighbours are solved exactly.
void sherd_coarse_level_smoother(sherd_coarse_level *level, const sherd_coarse_kernels *kernels,
                                 const sherd_parallel *parallel);
