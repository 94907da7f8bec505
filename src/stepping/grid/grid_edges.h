// Convex edges and corners of obstacles, for springs of material points (models/mpm/surface/mpm_edge_contact.c).
#pragma once

#include "bodies/obstacle.h"
#include "models/mpm/grid/mpm_walls.h"

typedef struct sherd_grid_edges {
    sherd_mpm_edge_sample *list; // (count)
    size_t count, room;
} sherd_grid_edges;

void sherd_grid_edges_free(sherd_grid_edges *edges);

// About half a `spacing` of points apart, or farther where there would be too many. Surfaces that bend have none; shapes of
// which no surface can be made neither.
sherd_status sherd_grid_edges_find(sherd_grid_edges *edges, const sherd_obstacle *obstacle,
                                   double spacing, sherd_error *error);
// Gives a wall of which the context is the obstacle its edges, which stay the list's.
void sherd_grid_edges_give(const sherd_grid_edges *edges, sherd_mpm_wall *wall);
