// Bodies that overlap initially.
#pragma once

#include <sherd/scene.h>

// A body that overlaps another one or an obstacle initially: contact takes this overlap as its
// reference state and resists only deeper ones.
typedef struct sherd_scene_overlap {
    int body, other;              // indices; `other` of a body or of an obstacle
    bool other_is_obstacle;       //
    sherd_element_index elements; // elements of either body deeper than half a radius in the other
    double depth;                 // of the deepest one's surface [m]
} sherd_scene_overlap;

// Lists at most `max_count` overlaps and returns their number. Bodies made of yarns have no interior:
// only their elements are tested.
int sherd_scene_overlaps(const sherd_scene *scene, const sherd_scene_build *build,
                         sherd_scene_overlap *list, int max_count);
