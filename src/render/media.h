// Bodies of glass that a point of a path lies in. Faces of fragments that lie on each other are passed together, so that
// they are no surface at all; where bodies overlap, the one that comes first in the scene fills the place.
//   Schmidt and Budge, Simple nested dielectrics in ray traced images (2002)
#pragma once

#include "render/tracer.h"

enum { MEDIA_MOST = 12 };

typedef struct sherd_media {
    int count;
    struct {
        int geometry, part;
        int depth; // how often it was entered without being left
    } bodies[MEDIA_MOST];
} sherd_media;

// What fills a place.
typedef struct sherd_medium {
    float refraction; // 1 in air
    vec3f absorption; // [1 / view unit]
} sherd_medium;

sherd_medium sherd_media_medium(const sherd_media *media, const sherd_tracer *tracer);

// Goes through faces, by their order. A body that is left without having been entered was there from the beginning: it
// is added to `before`. `after` begins as a copy of `before`.
void sherd_media_cross(sherd_media *before, sherd_media *after, const tracer_crossing *crossings,
                       int count);

// Share of light that is left after a way through a medium.
vec3f sherd_medium_passes(const sherd_medium *medium, float distance);

// Share of light that comes straight through bodies of glass, without being bent: what faces reflect and bodies absorb is
// taken from it. `media`: where the ray begins.
vec3f sherd_media_straight(const sherd_media *media, const sherd_tracer *tracer,
                           const tracer_crossings *crossings);
