// Distances no more closely than they are needed. Deep inside a large mesh about all triangles may be
// equally near, so that the distance itself takes long to find, while it is soon clear that there is no
// surface within a few radii of an element.
#pragma once

#include <sherd/shape.h>

typedef enum sherd_side { SHERD_SIDE_UNKNOWN, SHERD_SIDE_INSIDE, SHERD_SIDE_OUTSIDE } sherd_side;

// Which side of the surface a place is on.
typedef struct sherd_known_side {
    sherd_vec3 at;
    sherd_side side;
} sherd_known_side;

// Sizes of a distance between which it matters.
typedef struct sherd_distance_range {
    double low, high; // [m]
} sherd_distance_range;

// The signed distance, bit for bit, where its size is at least `low` and less than `high` [m]. Nearer, it
// may be anything of a size below `low`, with either sign; farther, anything of at least `high` with
// the right sign. The sign comes from `known` (may be NULL) where that is less than `high` away and a
// surface is not; else the distance is asked for after all.
// `normal` (may be NULL) gets the unit gradient where the distance itself is returned.
double sherd_shape_distance_between(const sherd_shape *shape, sherd_vec3 point,
                                    sherd_distance_range range, const sherd_known_side *known,
                                    sherd_vec3 *normal);

// The same, but INFINITY where the surface may be `high` or farther away on either side.
double sherd_shape_distance_or_far(const sherd_shape *shape, sherd_vec3 point,
                                   sherd_distance_range range, sherd_vec3 *normal);
