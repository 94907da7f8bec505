// Moves vertices with their elements (skinning).
#pragma once

#include "surface/piece/piece.h"

#include <sherd/surface.h>

typedef struct pose_source {
    const double *rest_x, *rest_y, *rest_z; // of all elements [m]
    const sherd_surface_pose *now;
} pose_source;

// Moves vertices [begin, end) of a piece. `normals` may be NULL.
void sherd_pose_vertices(const piece *p, const pose_source *source, size_t begin, size_t end,
                         double *vertices, double *normals);
