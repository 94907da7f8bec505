// Elements sorted by connected component, cut into segments for parallel loops.
//
// Components of fewer than SHERD_COMPONENT_FEWEST elements are left out: grains and splinters.
#pragma once

#include "base/parallel.h"
#include "models/bonded/storage/bonds.h"

enum { SHERD_COMPONENT_FEWEST = 8 };

typedef struct sherd_component_segment {
    sherd_element_index begin, end; // of `member`
    int32_t component;
    sherd_element_index first; // element of the component
    sherd_element_index size;  // of the component
} sherd_component_segment;

typedef struct sherd_component_list {
    int32_t count;                     // components
    int32_t segment_count;             // in the order of components
    sherd_element_index *member;       // ascending within a component; owned
    sherd_component_segment *segments; // owned
} sherd_component_list;

// Connected by intact bonds, in the order of components' first elements.
sherd_status sherd_component_list_make(sherd_component_list *list, const sherd_bonds *bonds,
                                       sherd_element_index count, sherd_error *error);
void sherd_component_list_free(sherd_component_list *list);
size_t sherd_component_list_bytes(const sherd_component_list *list, sherd_element_index count);
