// Contact of fluids and sand with walls by markers on the wall, as in immersed-boundary methods.
// Solids are stopped at nodes instead (contact/mpm_wall_contact.h). That is too coarse for fluids
// and sand: the push would act at nodes instead of at the wall, so pressure on a wall and friction
// of a floor would depend on the wall's position in its cell, and points would creep in between
// nodes.
//
// At a marker q on the wall the velocity v(q) = sum N_i(q) v_i may not point into the wall, with
// Coulomb friction. The impulse is distributed to nodes by N_i(q), so its moment is that of a push
// at q. Nodes in the fluid then move as its compression requires, and nodes behind the wall mirror
// them.
//
// There is one marker per area h^2: the foot of the perpendicular of each node within h/2 of a
// wall. Fluids also meet bodies at markers on the bodies' surfaces (mpm_immersed_bodies.h); the
// impulses on body and fluid are opposite and act at the same point.
#pragma once

#include "base/parallel.h"
#include "laws/solid/solid_laws.h"
#include "models/mpm/coupling/mpm_coupling.h"

typedef struct sherd_mpm_marker {
    size_t layer;           // of the fluid or sand in the node's block
    int wall;               // -1: none
    int32_t body;           // layer of the body in the node's block; -1: none
    int32_t rigid;          // number of a free body (mpm_coupling.h); -1: none
    double x[3], normal[3]; // position [m]; normal out of the wall or body
    double gap;             // from the surface of the fluid or sand to the wall [m]
    // For bodies: excess volume at the node, as a depth [m]
    double crowd;
    double friction;   // coefficient; very large: sticks
    double impulse[3]; // on the fluid or sand [N s]
} sherd_mpm_marker;

// Markers of one shared block.
typedef struct sherd_mpm_markers {
    sherd_mpm_marker *list;
    size_t count, capacity;
    bool failed; // memory is short
} sherd_mpm_markers;

typedef struct sherd_mpm_marker_def {
    double dt, fall[3];        // step [s]; change of velocity by gravity in it [m/s]
    const sherd_solid *solids; // by body
    const sherd_mpm_walls *walls;
    sherd_mpm_coupling *coupling; // NULL: none
    sherd_mpm_losses *losses;     // the losses of this step are added
    // Called before each round but the first, and after each: update coupled bodies and their nodes
    // by the impulses so far. end_round returns the impulse that the round has given them.
    void (*begin_round)(void *context);
    double (*end_round)(void *context);
    void *context;
} sherd_mpm_marker_def;

void sherd_mpm_add_marker(sherd_mpm_markers *markers, const sherd_mpm_marker *marker);

// Changes nodal velocities by all markers of all shared blocks and adds to the walls' reactions.
// False: memory is short.
bool sherd_mpm_solve_markers(sherd_mpm_grid *grid, sherd_mpm_markers *markers,
                             const sherd_parallel *parallel, const sherd_mpm_marker_def *def);

void sherd_mpm_markers_free(sherd_mpm_markers *markers, size_t count);
