// Bodies that begin inside each other.
#pragma once

#include <sherd/scene.h>

// A body that begins inside another one or inside an obstacle: contact takes this overlap as the rest state
// and resists deeper ones only.
typedef struct sherd_scene_overlap {
    int body, other;              // indices; `other` of a body or of an obstacle
    bool other_is_obstacle;       //
    sherd_element_index elements; // of either that lie by more than half a radius in the other
    double depth;                 // of the deepest one's surface [m]
} sherd_scene_overlap;

// Fills a list of at most `most` of them and returns how many there are. Bodies made of yarns have
// no inside: only their elements are tested.
int sherd_scene_overlaps(const sherd_scene *scene, const sherd_scene_build *build,
                         sherd_scene_overlap *list, int most);
