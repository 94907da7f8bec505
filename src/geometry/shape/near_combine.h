// Places near a point (shape_near.h) of solids that are made of several: all that any fills, or what all do.
//
// A solid is what a shape fills, or all that it leaves (seen from inside): a without b is what a fills and b leaves.
//
//   join   a place of one is one of all where no other comes nearer around it: there are no edges but concave ones
//          between them
//   meet   a place of one is one of all where the others fill what is below it, too; and between two faces that are
//          both in front of the point there may be a convex edge
#pragma once

#include "geometry/shape/shape_kind.h"

typedef struct sherd_near_solid {
    const sherd_shape *shape;
    sherd_side side; // OUTSIDE: what it fills, seen from outside; INSIDE: what it leaves
} sherd_near_solid;

// Distance from the solid, negative in it; `normal` (may be NULL) is its gradient.
double sherd_near_solid_distance(const sherd_near_solid *solid, sherd_vec3 point,
                                 sherd_vec3 *normal);

// Whether the solid fills what is just below a place as seen from p, and nothing just above.
bool sherd_near_solid_below(const sherd_near_solid *solid, sherd_vec3 p,
                            const sherd_near_place *place);
bool sherd_near_solid_above(const sherd_near_solid *solid, sherd_vec3 p,
                            const sherd_near_place *place);

// Adds the places of both solids together.
void sherd_near_join(const sherd_near_solid *a, const sherd_near_solid *b,
                     const sherd_near_view *view, sherd_near_list *list);

enum { SHERD_NEAR_MEET = 8 }; // solids at most

// Adds the places of what all of them fill; where that is seen as the inside of a shape (view->side), also those where
// walls would go on (shape_kind.h).
void sherd_near_meet(const sherd_near_solid *solids, int count, const sherd_near_view *view,
                     sherd_near_list *list);
