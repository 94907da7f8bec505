// Smooth normals that respect creases.
#pragma once

#include "base/parallel.h"

#include <sherd/render.h>

#include <stdbool.h>

// A unit normal for each corner of each triangle (m x 9 floats): the mesh's own when it has some;
// else the angle-weighted mean of the faces around the corner that turn by less than 35 degrees
// and are of the same kind. Vertices at the same place count as one, so a triangle soup looks
// smooth too. Owned by the caller (sherd_free); NULL when memory is short.
float *sherd_corner_normals(const sherd_render_mesh *mesh, const sherd_parallel *parallel);
