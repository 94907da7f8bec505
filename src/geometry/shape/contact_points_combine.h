// Contact points (shape_contact_points.h) of solids composed of several: of their union or their
// intersection.
//
// A solid is the interior of a shape or its complement (viewed from inside): a minus b is the
// intersection of a's interior and b's complement.
//
//   join   the union: a contact point of one solid is one of the union if no other solid is nearer
//          around it; edges between solids are concave and have no contact points
//   meet   the intersection: a contact point of one solid is one of the intersection if the others
//          fill the points below it, too; two faces that are both in front of the point may form a
//          convex edge
#pragma once

#include "geometry/shape/shape_kind.h"

typedef struct sherd_near_solid {
    const sherd_shape *shape;
    sherd_side side; // OUTSIDE: the interior, viewed from outside; INSIDE: the complement
} sherd_near_solid;

// Returns the distance from the solid, negative in it; `normal` (may be NULL) is its gradient.
double sherd_near_solid_distance(const sherd_near_solid *solid, sherd_vec3 point,
                                 sherd_vec3 *normal);

// Returns whether the solid fills the point just below a contact point relative to p, and not the
// point just above.
bool sherd_near_solid_below(const sherd_near_solid *solid, sherd_vec3 p,
                            const sherd_near_point *contact);
bool sherd_near_solid_above(const sherd_near_solid *solid, sherd_vec3 p,
                            const sherd_near_point *contact);

// Adds the contact points of the union of both solids.
void sherd_near_join(const sherd_near_solid *a, const sherd_near_solid *b,
                     const sherd_near_view *view, sherd_near_list *list);

enum { SHERD_NEAR_MEET = 8 }; // maximum number of solids

// Adds the contact points of the intersection of all solids; if it is the complement of a shape
// (view->side), also points on the continuation of walls (shape_kind.h).
void sherd_near_meet(const sherd_near_solid *solids, int count, const sherd_near_view *view,
                     sherd_near_list *list);
