// Where fluids meet bodies: solids of points, elements, free bodies. At nodes, where other bodies meet, what a fluid leaves
// between itself and a body, or overlaps with, is up to a cell thick: a floating cube displaced a fifth too much, and what
// sinks was held by nodes above and below a layer of fluid, which could not leave. Here they meet at seats
// (mpm_immersed_boundary.h) on the body's surface: that of a free body is its shape's, that of other bodies is where their outline at
// a node says, along the body's own normal there.
#pragma once

#include "models/mpm/contact/mpm_contact_groups.h"
#include "models/mpm/fluid/mpm_immersed_boundary.h"

typedef struct sherd_mpm_immersed_node {
    const sherd_mpm_grid *grid;
    const sherd_solid *solids;          // by body
    const sherd_mpm_coupling *coupling; // NULL: none
    double x[3];                        // [m]
    double room;                        // share of the cell that walls leave
} sherd_mpm_immersed_node;

// Whether one is a fluid, and the other bears shear: a solid of points, or a coupled body.
bool sherd_mpm_is_immersed(const sherd_mpm_grid *grid, const sherd_solid *solids,
                           const sherd_mpm_group *a, const sherd_mpm_group *b);

// Adds a seat of both, if the surface of the one that is no fluid is near the node.
void sherd_mpm_add_body_marker(const sherd_mpm_immersed_node *at, const sherd_mpm_group *a,
                               const sherd_mpm_group *b, double friction,
                               sherd_mpm_markers *markers);
