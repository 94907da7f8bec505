// The default backend: conjugate gradients preconditioned with one cycle of rigid-cluster multigrid.
//
//   nodes       block-Jacobi, damped  -> load -> clusters -> motion -> block-Jacobi, damped
//   clusters    the same between two levels of clusters, in two inner iterations each (coarse_cycle.h)
//   ...         until each fragment is one cluster, which is solved exactly
//
// Clusters never reach across broken edges (clusters.h). They are kept while edges break, until one is
// disconnected (coarse_links.h); all numbers follow the state, at every sherd_linear_backend.prepare.
#pragma once

#include "linear/linear_solver.h"

extern const sherd_linear_backend sherd_linear_multigrid;
