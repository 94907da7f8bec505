#include "geometry/shape/shape_range.h"

#include "geometry/shape/shape_kind.h"
#include "math/vec3.h"

double sherd_shape_distance_or_far(const sherd_shape *shape, sherd_vec3 point,
                                   sherd_distance_range range, sherd_vec3 *normal)
{
    const sherd_shape_kind *kind = shape->kind;
    if (kind->distance_between == NULL) return kind->distance(shape, point, normal);
    return kind->distance_between(shape, point, range, normal);
}

double sherd_shape_distance_between(const sherd_shape *shape, sherd_vec3 point,
                                    sherd_distance_range range, const sherd_known_side *known,
                                    sherd_vec3 *normal)
{
    double distance = sherd_shape_distance_or_far(shape, point, range, normal);
    if (distance != INFINITY) return distance;
    // The segment between the two points crosses no surface.
    bool same_side = known != NULL && known->side != SHERD_SIDE_UNKNOWN &&
                     vec3_distance(point, known->at) < range.high;
    if (same_side) return known->side == SHERD_SIDE_INSIDE ? -INFINITY : INFINITY;
    return shape->kind->distance(shape, point, normal);
}

bool sherd_shape_row(const sherd_shape *shape, const double *x, double y, double z, size_t count,
                     double *distance)
{
    if (shape->kind->row == NULL) return false;
    if (distance != NULL) shape->kind->row(shape, x, y, z, count, distance);
    return true;
}
