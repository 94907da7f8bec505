// Contact of fluids with bodies: solids of points, elements, free bodies. Contact at nodes, as
// between other bodies, would leave a gap of up to a cell or an overlap: a floating cube displaced
// a fifth too much, and a sinking body was stopped by nodes above and below a layer of fluid that
// could not escape. Therefore they touch at markers (mpm_immersed_boundary.h) on the body's
// surface. For a free body this is the surface of its shape. For other bodies it is reconstructed
// from the moments of volume at a node, along the body's own normal there.
#pragma once

#include "models/mpm/fluid/mpm_immersed_boundary.h"
#include "models/mpm/glue/mpm_node_groups.h"

typedef struct sherd_mpm_immersed_node {
    const sherd_mpm_grid *grid;
    const sherd_solid *solids;          // by body
    const sherd_mpm_coupling *coupling; // NULL: none
    double x[3];                        // [m]
    double room;                        // fraction of the cell that walls leave free
} sherd_mpm_immersed_node;

// Whether one is a fluid, and the other bears shear: a solid of points, or a coupled body.
bool sherd_mpm_is_immersed(const sherd_mpm_grid *grid, const sherd_solid *solids,
                           const sherd_mpm_group *a, const sherd_mpm_group *b);

// Adds a marker between both, if the surface of the body is near the node.
void sherd_mpm_add_body_marker(const sherd_mpm_immersed_node *at, const sherd_mpm_group *a,
                               const sherd_mpm_group *b, double friction,
                               sherd_mpm_markers *markers);
