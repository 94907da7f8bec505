// Creases and corners of a shape's surface: curves and points where smooth parts intersect.
#pragma once

#include <sherd/shape.h>

#include "base/sort.h"
#include "math/vec3.h"

// Parts of a surface whose normals differ by less than 30 degrees within an edge length are one.
#define SAME_SURFACE 0.866 // cos 30 degrees

// The feature on which a point lies: `count` is 1 on a smooth part of the surface, 2 on a crease, 3
// at a corner; the normals are those of the surfaces that intersect there. 0: not on the surface.
typedef struct surface_feature {
    int8_t count;
    sherd_vec3 normal[3];
} surface_feature;

static inline bool surface_features_in_common(const surface_feature *a, const surface_feature *b)
{
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count; ++j)
            if (vec3_dot(a->normal[i], b->normal[j]) > SAME_SURFACE) return true;
    return false;
}

// `size` is the length of the edges between the points in question [m]. Returns true if a point was
// found.

// Projects a point onto the surface.
bool sherd_project_to_surface(const sherd_shape *shape, double size, sherd_vec3 *x,
                              sherd_vec3 *normal);
// Determines the feature at x from the surface's normals at nearby points at which they are
// unambiguous: equal on both sides. `count` is 0 if there is none.
surface_feature sherd_surface_feature_at(const sherd_shape *shape, double size, sherd_vec3 x);
// Bisects the crossing of a crease between a and b, along the surface in the plane that contains
// both and the mean of their normals, to 2^-12 of the way. Edges in an order intersect a crease in
// that order. Returns false if the surface only bends.
bool sherd_find_crease(const sherd_shape *shape, double size, sherd_vec3 a, sherd_vec3 b,
                       surface_feature *at, sherd_vec3 *x);
// Intersects the tangent planes at three points for a first estimate, then those at nearer points,
// for the corner.
bool sherd_find_corner(const sherd_shape *shape, double size, const sherd_vec3 point[3],
                       surface_feature *at, sherd_vec3 *x);

// A request to move a vertex onto a crease or corner.
typedef struct sherd_move_request {
    int32_t vertex, other; // `other`: the edge's other end
    sherd_vec3 to;
    surface_feature at;
} sherd_move_request;

// Requests ordered by a distance >= 0; initially zero.
typedef struct sherd_move_request_list {
    size_t count, capacity, pair_capacity;
    sherd_move_request *requests;
    sherd_sort_pair *order; // by distance
    bool short_of_memory;
} sherd_move_request_list;

void sherd_move_request_add(sherd_move_request_list *list, const sherd_move_request *request,
                            double distance);
bool sherd_move_requests_sort(
    sherd_move_request_list *list); // false when out of memory, now or earlier
void sherd_move_requests_release(sherd_move_request_list *list);
