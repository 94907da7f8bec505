// What flows, at walls. Solids are held by their nodes (mpm_wall_contact.h); what flows asks more of a wall: the velocity at
// the wall's own place, v(q) = sum N_i(q) v_i, may not go into it, and Coulomb's friction acts on that velocity. Nodes in
// front of the wall then go on as the flow has it, and those behind it as images of them, so that the lowest cell bears the
// pressure of all others, can become thinner, and points at a wall stay there. Impulses are shared by N_i(q): their moment is that of a push at q, wherever the wall lies in its cell.
//
// Seats are such places: the foot of each node within h/2 of a wall, one for each h^2 of it.
#pragma once

#include "base/parallel.h"
#include "models/mpm/kernels/mpm_kernel.h"
#include "models/mpm/mpm_grid.h"
#include "models/mpm/mpm_walls.h"

typedef struct sherd_mpm_seat {
    size_t layer; // of what flows, where the node is
    int wall;
    double x[3], normal[3]; // place; out of the wall
    double gap;             // between the surface of what flows and the wall [m]
    double friction;        // infinite: sticks
    double impulse[3];      // given to what flows [N s]
} sherd_mpm_seat;

// Of one shared block.
typedef struct sherd_mpm_seats {
    sherd_mpm_seat *list;
    size_t count, capacity;
    bool failed; // memory is short
    sherd_mpm_losses losses;
} sherd_mpm_seats;

typedef struct sherd_mpm_wet_def {
    double dt;      // [s]
    double fall[3]; // change of velocity by gravity [m/s]
    const sherd_solid *solids;
    const sherd_mpm_walls *walls;
    sherd_mpm_losses *losses;
} sherd_mpm_wet_def;

void sherd_mpm_add_seat(sherd_mpm_seats *seats, const sherd_mpm_seat *seat);

// Changes the motion of nodes; frees the lists. False: memory is short.
bool sherd_mpm_wet_walls(sherd_mpm_grid *grid, sherd_mpm_seats *seats,
                         const sherd_parallel *parallel, const sherd_mpm_wet_def *def);
