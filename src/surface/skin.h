// Which elements carry a vertex, and with what weights.
#pragma once

#include "surface/partition.h"

#include <sherd/surface.h>

enum { SKIN_BONES = SHERD_SURFACE_BONES };

// The nearest elements of `label` around x, by source index, with smooth weights that sum to 1; some
// are negative where x lies beyond the elements. Where none is within reach, `fallback` alone.
void sherd_skin_vertex(const partition *p, sherd_fragment_id label, sherd_vec3 x, int32_t fallback,
                       int32_t bones[SKIN_BONES], float weights[SKIN_BONES]);
// The same with the nearest of `count` >= 1 elements with centres `point` and indices `source`, of
// about this radius.
void sherd_skin_among(const sherd_vec3 *point, const int32_t *source, int32_t count, double radius,
                      sherd_vec3 x, int32_t bones[SKIN_BONES], float weights[SKIN_BONES]);
// The same where there is only one.
void sherd_skin_to_one(int32_t element, int32_t bones[SKIN_BONES], float weights[SKIN_BONES]);
