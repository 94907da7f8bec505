// Smooth normals that respect creases.
#pragma once

#include "base/parallel.h"

#include <sherd/render.h>

#include <stdbool.h>

// A unit normal for each corner of each triangle (m x 9 floats). These are the normals of the mesh,
// if it has some. Otherwise a corner's normal is the angle-weighted mean of the faces around its
// vertex whose normals differ by less than 35 degrees and that are of the same kind (outer or
// inner). Vertices at the same position count as one, so that a triangle soup is shaded smoothly
// too. The caller owns the result (sherd_free); it is NULL when memory is short.
float *sherd_corner_normals(const sherd_render_mesh *mesh, const sherd_parallel *parallel);
