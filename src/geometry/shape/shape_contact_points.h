// Contact points of a ball with a shape: local minima on the surface of the distance from its
// centre.
//
// A ball on a floor touches it at one point, however many triangles the floor has, and however near
// an edge is; in a groove at two, in the corner of a room at three. Contact points are local minima
// of the distance along the surface, as viewed from outside. Points whose directions differ by less
// than SHERD_NEAR_COSINE are merged into the nearest: only one facet of an approximated curved
// surface pushes at a time.
#pragma once

#include "geometry/shape/shape_kind.h"

enum {
    SHERD_MAX_NEAR = 4
}; // maximum number of contact points: three faces of a corner, and one more

// cos 25.8 degrees.
#define SHERD_NEAR_COSINE 0.9

// Half of that angle.
#define SHERD_NEAR_HALF_COSINE 0.9746794344808964

// Maximum number of contact points: 1 for convex shapes and those that cannot enumerate them,
// SHERD_MAX_NEAR for others.
int sherd_shape_max_near(const sherd_shape *shape);

// Returns the number of points: the nearest one, of any distance and sign, then others nearer than
// `reach`, by distance.
int sherd_shape_near(const sherd_shape *shape, sherd_vec3 point, double reach,
                     sherd_near_point points[SHERD_MAX_NEAR]);

// Returns whether there is at most one contact point within `reach` of any point within `around` of
// this one: only faces of one direction are so near and visible. False if that is not known.
bool sherd_shape_is_smooth(const sherd_shape *shape, sherd_vec3 point, double reach, double around);
