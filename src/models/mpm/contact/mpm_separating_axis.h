// Chooses the wall face that a group of bodies contacts at a grid node: the face of largest
// separation, as in the separating-axis test. Near a convex edge it may not be the face nearest to
// the node.
#pragma once

#include "models/mpm/glue/mpm_node_groups.h"
#include "models/mpm/grid/mpm_walls.h"

// Gap between a group's surface and the face, along the face's normal [m]; INFINITY for a group
// without a surface.
double sherd_mpm_face_gap(const sherd_mpm_grid *grid, const sherd_mpm_group *group,
                          const sherd_mpm_face *face);

// Chooses, where the wall is convex, the face of largest separation among the faces nearest to the
// node and those nearest to the group's centroid there. `face` is the wall's at node x [m] and
// becomes the chosen one. False if the wall ends more than `overhang` [h] before the node, which
// then is free.
bool sherd_mpm_choose_separating_face(const sherd_mpm_grid *grid, const sherd_mpm_wall *wall,
                                      const double x[3], const sherd_mpm_group *group,
                                      double overhang, sherd_mpm_face *face);
