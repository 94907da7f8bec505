// Restores sharp edges and corners of a surface made on a grid, which blunts them.
#pragma once

#include "geometry/crease.h"

// A vertex during sharpening.
typedef struct sherd_sharp_point {
    sherd_vec3 safe;     // with all vertices at these positions, no triangles intersect [m]
    sherd_vec3 position; // target position [m]
    surface_feature feature;
} sherd_sharp_point;

// Takes a closed mesh without self-intersections that follows the shape to a fraction of `size`,
// its edge length; frees it. NULL with SHERD_ERROR_MEMORY.
//
//   1  vertices go to the surface; those near a crease or corner go there
//   2  edges from one part of the surface to another are split on the crease between, and triangles
//      between three parts in the corner
//   3  where triangles now intersect or fold over, vertices move back: surface_untangle.c
sherd_mesh *sherd_surface_sharpen(sherd_mesh *mesh, const sherd_shape *shape, double size,
                                  sherd_error *error);

// Moves the mesh's vertices to their targets, which two vertices of one crease may exchange;
// towards `safe` where triangles would intersect or fold over. Returns false when out of memory.
bool sherd_surface_untangle(sherd_mesh *mesh, sherd_sharp_point *point, double size);
