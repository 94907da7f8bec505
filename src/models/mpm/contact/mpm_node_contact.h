// Contact at nodes: loops over the blocks of the grid that several bodies share, or that a wall is
// near. Which pairs of bodies meet at a node, and at what distance, is said by mpm_contact_pairs.h;
// mpm_contact_solver.h solves what is posed.
#pragma once

#include "models/mpm/contact/mpm_contact_pairs.h"

// Sets which layers need moments: sherd_mpm_layer.apart. Loads are set, and joints' nodes.
void sherd_mpm_find_contacts(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                             const sherd_mpm_contact_def *def);
// Changes the motion of nodes that several bodies share; moments and loads are set. Returns how
// many nodes' problems did not converge, or had more than SHERD_MPM_NODE_GROUPS bodies; below 0:
// memory is short.
double sherd_mpm_solve_contacts(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                const sherd_mpm_contact_def *def);
