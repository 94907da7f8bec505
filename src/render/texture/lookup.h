// From a hit to the place on the body at rest, and from there to the surface's look.
#pragma once

#include "render/tracer.h"

// A place on a geometry: primitive and Embree's coordinates on it.
typedef struct texture_corner {
    unsigned primitive;
    float u, v;
    bool inner;
} texture_corner;

// Gives a surface of plain colour its texture and its metal. Not `detailed`: its mean.
void sherd_texture_finish(const tracer_geometry *geometry, const texture_corner *at, bool detailed,
                          coat_surface *surface);

// The same at a point of the world [m] inside the body, which a plane laid open: it has moved as the
// triangle there.
void sherd_texture_finish_inside(const tracer_geometry *geometry, const texture_corner *at,
                                 sherd_vec3 point, coat_surface *surface);
