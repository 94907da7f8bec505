// Rectangular lamps.
#pragma once

#include "render/sampler.h"
#include "render/vec3f.h"

#include <sherd/render.h>

// A lamp, in view units (tracer.h).
typedef struct sherd_lamp {
    vec3f middle, across, along; // half edges: from the middle to the edges
    vec3f normal;                // unit, on the emitting side
    vec3f radiance;
    float area;
    float share; // probability of choosing this lamp, proportional to its power
} sherd_lamp;

// A sample of a lamp, for next event estimation at a point.
typedef struct sherd_lamp_sample {
    vec3f direction; // unit
    float distance;
    vec3f radiance;
    float density; // sampling density [1 / sr]; 0: the lamp does not emit towards the point
} sherd_lamp_sample;

// `origin` and `scale` convert to view units (tracer.h). Fills `lamps` (count).
void sherd_lamps_place(const sherd_render_lamp *from, int count, sherd_vec3 origin, double scale,
                       sherd_lamp *lamps);

sherd_lamp_sample sherd_lamps_choose(const sherd_lamp *lamps, int count, vec3f from,
                                     sample2 random);
// The radiance of the lamp's front in a direction; 0 if the ray misses it.
vec3f sherd_lamp_seen(const sherd_lamp *lamp, vec3f from, vec3f direction);
// The density [1 / sr] with which sherd_lamps_choose samples `direction`, in which a ray hits the
// front of the lamp at `distance`.
float sherd_lamp_density(const sherd_lamp *lamp, vec3f direction, float distance);
