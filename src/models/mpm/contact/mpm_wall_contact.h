// Wall contact at one grid node: adds nearby walls to the node's contact problem as bodies of
// infinite mass, and books the dissipated energy and the walls' reactions.
#pragma once

#include "laws/solid/solid_laws.h"
#include "models/mpm/contact/mpm_contact_solver.h"
#include "models/mpm/drivers/mpm_driven_nodes.h"
#include "models/mpm/fluid/mpm_immersed_boundary.h"

typedef struct sherd_mpm_wall_contact {
    const sherd_mpm_walls *walls;         // NULL: none
    const sherd_mpm_driven_nodes *driven; // NULL: nothing
    const sherd_mpm_grid *grid;
    const sherd_solid *solids; // by body
    double dt;                 // [s]
    bool springs;              // of the definition of contact (mpm_contact.h)
    double fall[3];            // velocity change by gravity [m/s]
    size_t block;              // number of the shared block
    int near_count, near[SHERD_MPM_NEAR_WALLS];
    sherd_mpm_losses *losses;     // of the block
    sherd_mpm_reaction *reaction; // of the block, by wall
    sherd_mpm_markers *markers;   // of the block
    // Of the node:
    double x[3];                        // [m]
    int wall_of[SHERD_CONTACT_BODIES];  // for the problem's bodies after the groups: their wall
    int stuck_to[SHERD_CONTACT_BODIES]; // wall that a group sticks to; -1: none
    // Velocities at the beginning of the step, including the changes by contact before this round
    // [m/s]
    double start[SHERD_CONTACT_BODIES][3];
} sherd_mpm_wall_contact;

// Of a node of a shared block [m].
void sherd_mpm_find_node_position(const sherd_mpm_grid *grid, size_t shared, int node, double x[3]);

// Fraction of a node's cell that walls leave free, with walls approximated by planes.
double sherd_mpm_room_beside(const sherd_mpm_wall_contact *w, const double x[3]);

// Adds walls to a node's problem. Returns whether one of them needs an impulse.
bool sherd_mpm_add_walls(sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m, int node,
                         sherd_contact_problem *p);

// To be called before and after the problem is solved: stores the initial velocities, and adds up
// energies and reactions.
void sherd_mpm_note_start(sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m, int node,
                          const sherd_contact_problem *p);
void sherd_mpm_book_contact(const sherd_mpm_wall_contact *w, const sherd_mpm_node_groups *m,
                            const sherd_contact_problem *p);
