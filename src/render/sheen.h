// What the ground's coat mirrors of the studio's sky where nothing stands before it: the mean over
// the coat's lobe, tabulated for previews.
#pragma once

#include "render/lighting.h"

enum { SHEEN_RISES = 32, SHEEN_TURNS = 24 };

typedef struct sherd_sheen {
    vec3f to_rim; // towards the rim panel in the ground's plane, unit
    // Radiance by the cosine of the angle between view and normal, from 0 to 1, and by the angle
    // from the rim panel's direction to the view in the ground's plane, from 0 to pi.
    vec3f light[SHEEN_RISES][SHEEN_TURNS];
} sherd_sheen;

// False, with no table, in other surroundings than the studio, or if the ground has no coat, is a
// metal, or so smooth that it shows images.
bool sherd_sheen_init(sherd_sheen *sheen, const sherd_lighting *lighting,
                      const sherd_tracer *tracer);

// `view`: unit direction from the ground to the viewer.
vec3f sherd_sheen_light(const sherd_sheen *sheen, vec3f up, vec3f view);
