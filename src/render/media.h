// The bodies of glass that contain a point of a path. Where fragments touch, their coincident faces
// are crossed together, so that no interface remains. Where bodies overlap, the one that comes
// first in the scene has priority and fills the overlap.
//   Schmidt and Budge, Simple nested dielectrics in ray traced images (2002)
#pragma once

#include "render/tracer.h"

enum { MEDIA_MOST = 12 };

typedef struct sherd_media {
    int count;
    struct {
        int geometry, part;
        int depth; // number of entries less number of exits
    } bodies[MEDIA_MOST];
} sherd_media;

// Optical properties of the medium at a point.
typedef struct sherd_medium {
    float refraction; // 1 in air
    vec3f absorption; // [1 / view unit]
} sherd_medium;

sherd_medium sherd_media_medium(const sherd_media *media, const sherd_tracer *tracer);

// Crosses faces in the order given: `after` is what contains the path behind them. A path may exit
// a body that it is not known to have entered. It then started inside this body, which is added to
// `before`.
void sherd_media_cross(sherd_media *before, sherd_media *after, const tracer_crossing *crossings,
                       int count);

// Transmittance over a distance in a medium (Beer-Lambert).
vec3f sherd_medium_passes(const sherd_medium *medium, float distance);

// Transmittance of a shadow ray that passes through glass without refraction: reduced by Fresnel
// reflection at each interface and by absorption. `media` contain the ray's origin.
vec3f sherd_media_straight(const sherd_media *media, const sherd_tracer *tracer,
                           const tracer_crossings *crossings);
