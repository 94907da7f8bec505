// Sharp edges and corners for a surface made on a grid, which leaves them blunt.
#pragma once

#include "geometry/crease.h"

// A vertex while a surface is sharpened.
typedef struct sherd_sharp_point {
    sherd_vec3 safe;  // with all vertices there, no triangle cuts another [m]
    sherd_vec3 place; // where it belongs [m]
    surface_feature feature;
} sherd_sharp_point;

// Takes a closed mesh that follows the shape to a part of `size`, its edges' length, and does not cut
// itself; frees it. NULL with SHERD_ERROR_MEMORY.
//
//   1  vertices go to the surface; those near a crease or corner go there
//   2  edges from one part of the surface to another are split on the crease between, and triangles
//      between three parts in the corner
//   3  where triangles cut or fold onto each other now, vertices go back towards where they were: surface_settle.c
sherd_mesh *sherd_surface_sharpen(sherd_mesh *mesh, const sherd_shape *shape, double size,
                                  sherd_error *error);

// Sets the mesh's vertices to their places, which two of one crease may exchange; towards `safe` where triangles would
// cut or fold onto each other. False when memory is short.
bool sherd_surface_settle(sherd_mesh *mesh, sherd_sharp_point *point, double size);
