// Convex edges and corners of obstacles, for contact springs of material points
// (models/mpm/surface/mpm_edge_contact.c).
#pragma once

#include "bodies/obstacle.h"
#include "models/mpm/grid/mpm_walls.h"

typedef struct sherd_grid_edges {
    sherd_mpm_edge_sample *list; // (count)
    size_t count, capacity;
} sherd_grid_edges;

void sherd_grid_edges_free(sherd_grid_edges *edges);

// Samples are about half a `spacing` of points apart, or farther if there would be too many. Smooth
// surfaces, and shapes that cannot be meshed, have none.
sherd_status sherd_grid_edges_find(sherd_grid_edges *edges, const sherd_obstacle *obstacle,
                                   double spacing, sherd_error *error);
// Sets the edges of a wall whose context is the obstacle; the list keeps ownership.
void sherd_grid_edges_give(const sherd_grid_edges *edges, sherd_mpm_wall *wall);
