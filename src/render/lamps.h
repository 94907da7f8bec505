// Rectangular lamps.
#pragma once

#include "render/sampler.h"
#include "render/vec3f.h"

#include <sherd/render.h>

// In view units.
typedef struct sherd_lamp {
    vec3f middle, across, along; // from the middle to the edges
    vec3f normal;                // the side that shines
    vec3f radiance;
    float area;
    float share; // of the choices among lamps, by power
} sherd_lamp;

// A place on a lamp as seen from a point.
typedef struct sherd_lamp_sample {
    vec3f direction; // unit
    float distance;
    vec3f radiance;
    float density; // of the choice [1 / sr]; 0: it does not shine this way
} sherd_lamp_sample;

// `origin`, `scale`: of view units. Fills `lamps` (count).
void sherd_lamps_place(const sherd_render_lamp *from, int count, sherd_vec3 origin, double scale,
                       sherd_lamp *lamps);

sherd_lamp_sample sherd_lamps_choose(const sherd_lamp *lamps, int count, vec3f from,
                                     sample2 random);
// How dense choices are that fall where a ray meets a lamp's front.
float sherd_lamp_density(const sherd_lamp *lamp, vec3f direction, float distance);
