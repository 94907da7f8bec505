// Where a ball may touch a shape: places of the surface that are nearer to its centre than all others around them.
//
// A ball on a floor touches it in one place, however many triangles the floor is made of, and however near an edge; in
// a groove in two, in the corner of a room in three. Such places are local minima of the distance along the surface,
// as seen from outside. Those whose directions differ by less than SHERD_NEAR_COSINE says are one, the nearest: of
// facets that stand for something round, one pushes at a time.
#pragma once

#include "geometry/shape/shape_kind.h"

enum { SHERD_MOST_NEAR = 4 }; // that are told apart: in a corner between three faces, and one more

// cos 25.8 degrees.
#define SHERD_NEAR_COSINE 0.9

// Half of that angle.
#define SHERD_NEAR_HALF_COSINE 0.9746794344808964

// How many places there can be: 1 of shapes that are convex, or don't know, and SHERD_MOST_NEAR of others.
int sherd_shape_most_near(const sherd_shape *shape);

// The nearest one of all, of any distance and sign, then others that are nearer than `reach`, by their distance.
// Returns how many.
int sherd_shape_near(const sherd_shape *shape, sherd_vec3 point, double reach,
                     sherd_near_place places[SHERD_MOST_NEAR]);

// Whether there is one place at most within `reach` of any point that is within `around` of this one: no faces but of
// one direction are so near and can be seen. False also where that is not known.
bool sherd_shape_is_smooth(const sherd_shape *shape, sherd_vec3 point, double reach, double around);
