#include "geometry/shape_range.h"

#include "geometry/shape_kind.h"
#include "math/vec3.h"

double sherd_shape_distance_or_far(const sherd_shape *shape, sherd_vec3 point, double low,
                                   double high)
{
    const sherd_shape_kind *kind = shape->kind;
    if (kind->distance_between == NULL) return kind->distance(shape, point, NULL);
    return kind->distance_between(shape, point, low, high);
}

double sherd_shape_distance_between(const sherd_shape *shape, sherd_vec3 point, double low,
                                    double high, const sherd_known_side *known)
{
    double distance = sherd_shape_distance_or_far(shape, point, low, high);
    if (distance != INFINITY) return distance;
    // No surface crosses the way between the two.
    bool same_side = known != NULL && known->side != SHERD_SIDE_UNKNOWN &&
                     vec3_distance(point, known->at) < high;
    if (same_side) return known->side == SHERD_SIDE_INSIDE ? -INFINITY : INFINITY;
    return shape->kind->distance(shape, point, NULL);
}
