// Contact at the grid's nodes in one step, after nodal velocities were updated by stress and
// gravity.
//
// First, shared nodes and the positions of surfaces are found (mpm_node_contact.h); glue with the
// force criterion is tested; then the nodes' contact problems are solved. The impulses on samples
// of a coupled body in a round of contact are distributed over the whole body, so that nodes are
// not fully satisfied and another round follows. Afterwards fluids and sand are brought into
// contact with walls, and fluids with bodies, at separate markers (fluid/mpm_immersed_boundary.h).
#pragma once

#include "models/mpm/contact/mpm_node_contact.h"
#include "models/mpm/transfer/mpm_transfer.h"

#include <sherd/error.h>

typedef struct sherd_mpm_contact_step {
    sherd_mpm_contact_def def; // markers, `again` and losses are set here
    const sherd_mpm_transfer *transfer;
    sherd_mpm_glues *glue;        // NULL: none is intact
    sherd_mpm_coupling *coupling; // NULL: nothing is coupled
    double time;                  // at the beginning of the step [s]
    sherd_parallel parallel;
    // Set:
    sherd_mpm_losses losses;
    int64_t unsolved; // nodes: see sherd_mpm_solve_contacts
} sherd_mpm_contact_step;

sherd_status sherd_mpm_resolve_contact(sherd_mpm_contact_step *step, sherd_error *error);
