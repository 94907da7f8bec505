// Which elements carry a vertex, and with what weights.
#pragma once

#include "surface/partition/partition.h"

#include <sherd/surface.h>

enum { SKIN_BONES = SHERD_SURFACE_BONES };

// The elements of one fragment, for one vertex after the other: fastest when the next is near the last.
// Set partition and label; the rest is zero at first.
typedef struct skin_search {
    const partition *partition;
    sherd_fragment_id label;
    const sight *seen; // elements out of it carry nothing; NULL: all are in sight
    bool near_cut;     // the last vertex has an element at a crack
    sherd_vec3 centre; // of the last list
    size_t count, capacity;
    double *numbers; // x, y, z of the elements listed and room for distances  (4 x capacity)
    int32_t *place;  // of these in the partition  (capacity)
} skin_search;

void sherd_skin_search_release(skin_search *s);

// The fragment's nearest elements around x, by source index, with smooth weights that sum to 1; some
// are negative where x lies beyond the elements. Where none is within reach, `fallback` alone. False when
// memory is short.
bool sherd_skin_vertex(skin_search *s, sherd_vec3 x, int32_t fallback, int32_t bones[SKIN_BONES],
                       float weights[SKIN_BONES]);
// The same with the nearest of `count` >= 1 elements with centres `point` and indices `source`, of
// about this radius.
void sherd_skin_among(const sherd_vec3 *point, const int32_t *source, int32_t count, double radius,
                      sherd_vec3 x, int32_t bones[SKIN_BONES], float weights[SKIN_BONES]);
// The same where there is only one.
void sherd_skin_to_one(int32_t element, int32_t bones[SKIN_BONES], float weights[SKIN_BONES]);
