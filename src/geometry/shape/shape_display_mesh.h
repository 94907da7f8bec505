// Builds the surface of a shape for pictures (sherd_shape_display_mesh).
#pragma once

#include "geometry/boolean/boolean.h"

#include <sherd/shape.h>

// State of meshing a shape's parts. Each part is inflated a little more than the previous ones, so
// that a difference cuts through coplanar faces and a union merges them, and rotated by less, so
// that no edges intersect.
typedef struct sherd_display_mesh_build {
    double edge_length,
        nudge;   // the latter: increment from part to part                           [m]
    int parts;   // number of parts so far
    int attempt; // each attempt uses other rotations
} sherd_display_mesh_build;

// Builds a mesh without normals. NULL with SHERD_OK if an attempt yields no closed surface.
sherd_mesh *sherd_display_mesh_part(const sherd_shape *shape, sherd_display_mesh_build *build,
                                    sherd_error *error);

// Computes the boolean of two parts' meshes; takes both, either may be NULL. NULL with SHERD_OK as
// above.
sherd_mesh *sherd_display_mesh_join(sherd_mesh *a, sherd_mesh *b, sherd_boolean_kind kind,
                                    sherd_error *error);

// Returns the first of a few attempts that is closed and does not intersect itself; NULL with
// SHERD_OK if none is.
sherd_mesh *sherd_display_mesh_of(const sherd_shape *shape, double edge_length, sherd_error *error);

// The same, but unions and differences are computed from their parts' meshes, cut by each other,
// instead of a distance grid: walls of any thickness are present, and edges are sharp, within some
// millionths of the size. If parts have no such mesh without self-intersections, or a union has
// more than 1000, the result is sherd_shape_surface's, with a note (sherd_mesh_note). For bodies
// and pictures.
sherd_mesh *sherd_shape_display_mesh(const sherd_shape *shape, double edge_length,
                                     sherd_error *error);
