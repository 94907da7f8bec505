// Creases and corners of a shape's surface: where its parts, told apart by their normals, meet.
#pragma once

#include <sherd/shape.h>

#include "base/sort.h"
#include "math/vec3.h"

// Parts of a surface whose normals differ by less than 30 degrees within an edge length are one.
#define SAME_SURFACE 0.866 // cos 30 degrees

// Where a point lies: `count` is 1 on a smooth part of the surface, 2 on a crease, 3 at a corner;
// normals are those of the surfaces that meet there. 0: not on the surface.
typedef struct surface_feature {
    int8_t count;
    sherd_vec3 normal[3];
} surface_feature;

static inline bool surface_features_share(const surface_feature *a, const surface_feature *b)
{
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count; ++j)
            if (vec3_dot(a->normal[i], b->normal[j]) > SAME_SURFACE) return true;
    return false;
}

// `size` is that of the edges between the points in question [m]. True when a point was found.

// Onto the surface.
bool sherd_project_to_surface(const sherd_shape *shape, double size, sherd_vec3 *x,
                              sherd_vec3 *normal);
// From the normals of the surface at places around x, where they are beyond doubt: the same on both
// sides of it. `count` is 0 where none is.
surface_feature sherd_surface_feature_at(const sherd_shape *shape, double size, sherd_vec3 x);
// Walks along the surface between a and b until the two ends of what is left are 2^-12 apart, in the plane through both
// that holds the mean of the normals there: edges in one order meet a crease in that order. False where the surface
// only bends.
bool sherd_find_crease(const sherd_shape *shape, double size, sherd_vec3 a, sherd_vec3 b,
                       surface_feature *at, sherd_vec3 *x);
// Planes at the three points meet in a first guess; planes nearer to it, in the corner.
bool sherd_find_corner(const sherd_shape *shape, double size, const sherd_vec3 point[3],
                       surface_feature *at, sherd_vec3 *x);

// A wish to move a vertex onto a crease or corner.
typedef struct sherd_wish {
    int32_t vertex, other; // `other`: the edge's other end
    sherd_vec3 to;
    surface_feature at;
} sherd_wish;

// Wishes in the order of a distance >= 0, zero-filled to begin with.
typedef struct sherd_wish_list {
    size_t count, capacity, pair_capacity;
    sherd_wish *wishes;
    sherd_sort_pair *order; // by distance
    bool short_of_memory;
} sherd_wish_list;

void sherd_wish_add(sherd_wish_list *list, const sherd_wish *wish, double distance);
bool sherd_wishes_sort(sherd_wish_list *list); // false when memory is short, now or before
void sherd_wishes_release(sherd_wish_list *list);
