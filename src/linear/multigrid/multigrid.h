// The default backend: conjugate gradients preconditioned with one cycle of rigid-cluster multigrid.
//
//   nodes       damped block-Jacobi  -> load -> clusters -> motion -> damped block-Jacobi
//   clusters    the same between two levels of clusters, in two inner iterations each (coarse_cycle.h)
//   ...         until each fragment is one cluster, which is solved exactly
//
// Clusters never cross broken edges (clusters.h). They are reused while edges break, until one is
// disconnected (cluster_connectivity.h). All matrices are updated at every sherd_linear_backend.prepare.
#pragma once

#include "linear/linear_solver.h"

extern const sherd_linear_backend sherd_linear_multigrid;
