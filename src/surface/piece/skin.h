// Finds the elements that carry a vertex, and their weights.
#pragma once

#include "surface/partition/partition.h"

#include <sherd/surface.h>

enum { SKIN_BONES = SHERD_SURFACE_BONES };

// The elements of one fragment, queried for vertex after vertex: fastest if consecutive vertices
// are close. Set partition and label; all other members are zero initially.
typedef struct skin_search {
    const partition *partition;
    sherd_fragment_id label;
    const visible_set *seen; // elements that are not visible carry nothing; NULL: all are visible
    bool near_cut;           // an element of the last vertex is at a crack
    sherd_vec3 centre;       // position at which the list was last built
    size_t count, capacity;
    double *numbers; // x, y, z of the listed elements and room for distances  (4 x capacity)
    int32_t *index;  // indices of these in the partition  (capacity)
} skin_search;

void sherd_skin_search_release(skin_search *s);

// Returns the fragment's elements nearest to x, by source index, with smooth weights that sum to 1;
// some are negative if x lies beyond the elements. If none is within reach, `fallback` alone.
// Returns false when out of memory.
bool sherd_skin_vertex(skin_search *s, sherd_vec3 x, int32_t fallback, int32_t bones[SKIN_BONES],
                       float weights[SKIN_BONES]);
// The same for the nearest of `count` >= 1 elements with centres `point` and indices `source`, of
// about this radius.
void sherd_skin_among(const sherd_vec3 *point, const int32_t *source, int32_t count, double radius,
                      sherd_vec3 x, int32_t bones[SKIN_BONES], float weights[SKIN_BONES]);
// The same for a single element.
void sherd_skin_to_one(int32_t element, int32_t bones[SKIN_BONES], float weights[SKIN_BONES]);
