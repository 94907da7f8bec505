// A tree of bounding boxes over items (triangles), four children a node: for nearest-triangle,
// crossing and overlap queries.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>

enum {
    SHERD_BVH_WIDTH = 4,       // children of a node; four doubles fill two or one vector registers
    SHERD_BVH_LEAF_SIZE = 4,   // most items of a leaf
    SHERD_BVH_STACK_SIZE = 192 // enough for every tree: at most 40 levels push 3 more each
};

// Boxes are stored by axis so that a query treats all children at once. Unused children have
// inverted infinite boxes, which no query meets.
typedef struct sherd_bvh_node {
    double low[3][SHERD_BVH_WIDTH], high[3][SHERD_BVH_WIDTH]; // [m]
    int32_t first[SHERD_BVH_WIDTH]; // leaf: first place in `order`; else the child node
    int32_t count[SHERD_BVH_WIDTH]; // leaf: its number of items; 0 for an inner node
} sherd_bvh_node;

typedef struct sherd_bvh {
    int32_t item_count;    // n
    int32_t node_count;    // the root is node 0; there is one even without items
    sherd_bvh_node *nodes; //                                           (node_count)
    int32_t *order;        // items, those of a leaf next to each other (n)
} sherd_bvh;

// Builds over `count` finite boxes. False when memory is short.
bool sherd_bvh_init(sherd_bvh *bvh, const sherd_bounds *boxes, int32_t count);
// The same; items whose boxes lie in one place, as those of shells around each other do, are parted by places of their own.
bool sherd_bvh_init_placed(sherd_bvh *bvh, const sherd_bounds *boxes, const sherd_vec3 *places,
                           int32_t count);
void sherd_bvh_release(sherd_bvh *bvh);

// Calls `visit` with each item whose leaf's box overlaps `box` (its own box may not); stops and
// returns false when `visit` does.
typedef bool sherd_bvh_visitor(void *context, int32_t item);
bool sherd_bvh_overlaps(const sherd_bvh *bvh, sherd_bounds box, sherd_bvh_visitor *visit,
                        void *context);

// Calls `visit` with each item whose leaf's box the ray origin + t direction, t >= 0, may meet.
void sherd_bvh_ray(const sherd_bvh *bvh, sherd_vec3 origin, sherd_vec3 direction,
                   sherd_bvh_visitor *visit, void *context);
