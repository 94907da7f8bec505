// Fluids at bodies: solids of points, elements, free bodies. If they met at nodes, as other bodies
// do, a fluid would leave a gap up to a cell thick, or overlap: a floating cube displaced a fifth
// too much, and what sank was stopped by nodes above and below a layer of fluid, which could not
// leave. They meet at markers (mpm_immersed_boundary.h) on the body's surface: that of a free body
// is its shape's, that of other bodies lies where their moments of volume at a node say, along the
// body's own normal there.
#pragma once

#include "models/mpm/fluid/mpm_immersed_boundary.h"
#include "models/mpm/glue/mpm_node_groups.h"

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

// Adds a marker of both, if the surface of the one that is no fluid is near the node.
void sherd_mpm_add_body_marker(const sherd_mpm_immersed_node *at, const sherd_mpm_group *a,
                               const sherd_mpm_group *b, double friction,
                               sherd_mpm_markers *markers);
