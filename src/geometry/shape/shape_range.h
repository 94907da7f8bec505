// Distance queries of limited accuracy. Deep inside a large mesh about all triangles may be equally
// near, so that the exact distance takes long to compute, while it is soon clear that there is no
// surface within a few radii of an element.
#pragma once

#include <sherd/shape.h>

#include <stdbool.h>
#include <stddef.h>

typedef enum sherd_side { SHERD_SIDE_UNKNOWN, SHERD_SIDE_INSIDE, SHERD_SIDE_OUTSIDE } sherd_side;

// The side of the surface on which a point lies.
typedef struct sherd_known_side {
    sherd_vec3 at;
    sherd_side side;
} sherd_known_side;

// Interval of absolute distances in which exactness matters.
typedef struct sherd_distance_range {
    double low, high; // [m]
} sherd_distance_range;

// Returns the exact signed distance if its absolute value is in [low, high) [m]. Nearer points may
// get any value of a size below `low`, with either sign; farther points any value of size `high` or
// more with the correct sign. `known` (may be NULL) supplies the sign if it is less than `high`
// away and a surface is not; otherwise the distance is computed. `normal` (may be NULL) receives
// the unit gradient if the exact distance is returned.
double sherd_shape_distance_between(const sherd_shape *shape, sherd_vec3 point,
                                    sherd_distance_range range, const sherd_known_side *known,
                                    sherd_vec3 *normal);

// The same, but INFINITY if the surface may be `high` or farther on either side.
double sherd_shape_distance_or_far(const sherd_shape *shape, sherd_vec3 point,
                                   sherd_distance_range range, sherd_vec3 *normal);

// Writes the signed distances of the points of a row along x (count); for points outside any
// positive number. Returns false, without writing, for shapes that do not know better than
// sherd_shape_distance.
bool sherd_shape_row(const sherd_shape *shape, const double *x, double y, double z, size_t count,
                     double *distance);
