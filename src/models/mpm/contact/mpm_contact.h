// Contact at the nodes of the grid in one step, once nodes have the velocities that stress and
// gravity make of them.
//
// First it is found which bodies share nodes and where their surfaces lie (mpm_node_contact.h);
// glue by force is tested; then the problems of nodes are solved. What a round of contact gives
// samples of a coupled body is shared by all that the body is made of, so that some of it is left
// at nodes for the next round. Fluids and sand meet walls, and fluids meet bodies, at markers of
// their own after that (fluid/mpm_immersed_boundary.h).
#pragma once

#include "models/mpm/contact/mpm_node_contact.h"
#include "models/mpm/transfer/mpm_transfer.h"

#include <sherd/error.h>

typedef struct sherd_mpm_contact_step {
    sherd_mpm_contact_def def; // markers, nodes solved again and losses are set here
    const sherd_mpm_transfer *transfer;
    sherd_mpm_glues *glue;        // NULL: none is intact
    sherd_mpm_coupling *coupling; // NULL: nothing is coupled
    double time;                  // at which the step begins [s]
    sherd_parallel parallel;
    // Set:
    sherd_mpm_losses losses;
    int64_t unsolved; // nodes: see sherd_mpm_solve_contacts
} sherd_mpm_contact_step;

sherd_status sherd_mpm_resolve_contact(sherd_mpm_contact_step *step, sherd_error *error);
