// A bounding volume hierarchy over items (triangles), four children per node: for nearest-triangle,
// intersection and overlap queries.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>

enum {
    SHERD_BVH_WIDTH = 4,       // children of a node; four doubles fill two or one vector registers
    SHERD_BVH_LEAF_SIZE = 4,   // most items of a leaf
    SHERD_BVH_STACK_SIZE = 192 // enough for every tree: at most 40 levels push 3 more each
};

// Boxes are stored by axis so that a query tests all children at once. Unused children have
// inverted infinite boxes, which overlap no query.
typedef struct sherd_bvh_node {
    double low[3][SHERD_BVH_WIDTH], high[3][SHERD_BVH_WIDTH]; // [m]
    int32_t first[SHERD_BVH_WIDTH]; // leaf: first index into `order`; else the child node
    int32_t count[SHERD_BVH_WIDTH]; // leaf: its number of items; 0 for an inner node
} sherd_bvh_node;

typedef struct sherd_bvh {
    int32_t item_count;    // n
    int32_t node_count;    // the root is node 0; it exists even without items
    sherd_bvh_node *nodes; //                                           (node_count)
    int32_t *order;        // items, those of a leaf adjacent (n)
} sherd_bvh;

// Builds a tree over `count` finite boxes. Returns false when out of memory.
bool sherd_bvh_init(sherd_bvh *bvh, const sherd_bounds *boxes, int32_t count);
// The same; items whose boxes coincide, such as those of nested shells, are separated by positions
// of their own.
bool sherd_bvh_init_with_centroids(sherd_bvh *bvh, const sherd_bounds *boxes,
                                   const sherd_vec3 *centroids, int32_t count);
void sherd_bvh_release(sherd_bvh *bvh);

// Calls `visit` with each item of a leaf whose box overlaps `box` (the item's own box may not);
// stops and returns false if `visit` does.
// returns false when `visit` does.
typedef bool sherd_bvh_visitor(void *context, int32_t item);
bool sherd_bvh_overlaps(const sherd_bvh *bvh, sherd_bounds box, sherd_bvh_visitor *visit,
                        void *context);

// Calls `visit` with each item of a leaf whose box the ray origin + t direction, t >= 0, may hit.
void sherd_bvh_ray(const sherd_bvh *bvh, sherd_vec3 origin, sherd_vec3 direction,
                   sherd_bvh_visitor *visit, void *context);
