// Applies textures to hits: from a hit to the point in the rest configuration, and from there to
// the surface's colour and roughness.
#pragma once

#include "render/tracer.h"

// A point on a geometry: the primitive and Embree's barycentric coordinates on it.
typedef struct texture_corner {
    unsigned primitive;
    float u, v;
    bool inner;
} texture_corner;

// Applies texture and metal to a surface that has the plain colour of its material. If not
// `detailed`, applies the mean of the texture.
void sherd_texture_finish(const tracer_geometry *geometry, const texture_corner *at, bool detailed,
                          coat_surface *surface);

// The same for a point inside the body [m, world], on a cut made by the clipping plane. The point
// is assumed to have moved rigidly with the triangle `at`.
void sherd_texture_finish_inside(const tracer_geometry *geometry, const texture_corner *at,
                                 sherd_vec3 point, coat_surface *surface);
