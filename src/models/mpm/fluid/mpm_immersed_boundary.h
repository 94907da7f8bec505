// Fluids and sand at walls, by markers on the wall, as in immersed-boundary methods. Solids are
// stopped at their nodes (contact/mpm_wall_contact.h). A fluid that is stopped so leans on walls
// with too much or too little, and sand runs out by more or less with the place of the floor in its
// cell, for the push acts at nodes, and both creep in between them. At a marker the velocity at the
// wall's own place, v(q) = sum N_i(q) v_i, may not go into the wall, with Coulomb's friction. Nodes
// in the fluid go on as its compression has it, those behind the wall become images of them, and
// points at a wall stay there. An impulse goes to nodes by N_i(q), so that its moment is that of a
// push at q, wherever the wall lies in its cell.
//
// A marker is the foot of a node within h/2 of a wall: there is one for each h^2 of it. Fluids meet
// bodies at markers on the surfaces of these, too (mpm_immersed_bodies.h): the impulse on the body
// is opposite to that on the fluid, at the same place.
#pragma once

#include "base/parallel.h"
#include "laws/solid/solid_laws.h"
#include "models/mpm/coupling/mpm_coupling.h"

typedef struct sherd_mpm_marker {
    size_t layer;           // of what flows, where the node is
    int wall;               // -1: none
    int32_t body;           // layer of the body that is met, where the node is; -1: none, or
    int32_t rigid;          // number of a free body (mpm_coupling.h); -1: none
    double x[3], normal[3]; // its place [m]; out of the wall or body
    double gap;             // between the surface of what flows and the wall [m]
    // Of a body: by how much more than there is room for lies at the node, as a depth [m]
    double crowd;
    double friction;   // very large: it sticks
    double impulse[3]; // given to what flows [N s]
} sherd_mpm_marker;

// Of one shared block.
typedef struct sherd_mpm_markers {
    sherd_mpm_marker *list;
    size_t count, capacity;
    bool failed; // memory is short
} sherd_mpm_markers;

typedef struct sherd_mpm_marker_def {
    double dt, fall[3];        // [s]; change of velocity by gravity in it [m/s]
    const sherd_solid *solids; // by body
    const sherd_mpm_walls *walls;
    sherd_mpm_coupling *coupling; // NULL: none
    sherd_mpm_losses *losses;     // what this step takes is added
    // Before each round but the first, after each: gives coupled bodies the velocities that
    // impulses so far make, nodes' included. Returns how much the round has given them.
    void (*begin_round)(void *context);
    double (*end_round)(void *context);
    void *context;
} sherd_mpm_marker_def;

void sherd_mpm_add_marker(sherd_mpm_markers *markers, const sherd_mpm_marker *marker);

// Changes the motion of nodes, by all markers of all shared blocks; walls' reactions are added to.
// False: memory is short.
bool sherd_mpm_solve_markers(sherd_mpm_grid *grid, sherd_mpm_markers *markers,
                             const sherd_parallel *parallel, const sherd_mpm_marker_def *def);

void sherd_mpm_markers_free(sherd_mpm_markers *markers, size_t count);
