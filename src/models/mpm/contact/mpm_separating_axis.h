// Which face of a wall a group of bodies meets at a node. Near an edge of the wall the face that is nearest to the node need
// not be the one on which the group lies.
#pragma once

#include "models/mpm/contact/mpm_contact_groups.h"
#include "models/mpm/grid/mpm_walls.h"

// Between a group's surface and the face, along its normal [m]; INFINITY of a group without a surface.
double sherd_mpm_face_gap(const sherd_mpm_grid *grid, const sherd_mpm_group *group,
                          const sherd_mpm_face *face);

// Where the wall is convex bodies are apart as far as along the face that parts them most: of those at the place that is
// nearest to the node and of those nearest to the group's centroid there, the group meets the one with the widest gap. `face`
// is the wall's at node x [m] and becomes that one. False where the wall ends more
// than `overhang` [h] before the node, which then is free.
bool sherd_mpm_choose_separating_face(const sherd_mpm_grid *grid, const sherd_mpm_wall *wall,
                                      const double x[3], const sherd_mpm_group *group,
                                      double overhang, sherd_mpm_face *face);
