// Contact at nodes: loops over the blocks that several bodies share or that are near a wall.
// mpm_contact_pairs.h determines which pairs of bodies touch at a node, and their gap;
// mpm_contact_solver.h solves the resulting problems.
#pragma once

#include "models/mpm/contact/mpm_contact_pairs.h"

// Determines which layers need moments (sherd_mpm_layer.apart). Loads and the joints' nodes must be
// set.
void sherd_mpm_find_contacts(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                             const sherd_mpm_contact_def *def);
// Changes the motion of nodes that several bodies share; moments and loads must be set. Returns the
// number of nodes whose problem did not converge or had more than SHERD_MPM_NODE_GROUPS bodies;
// negative when memory is short.
double sherd_mpm_solve_contacts(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                const sherd_mpm_contact_def *def);
