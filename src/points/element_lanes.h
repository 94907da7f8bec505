// Reference positions of elements as vectors of doubles; other columns are those of points
// (point_lanes.h).
#pragma once

#include "points/elements.h"
#include "points/point_lanes.h"

LANE_INLINE dlane load_reference(const sherd_elements *e, const double *full, int axis,
                                 point_lanes s)
{
    return take_given(full, e->given.rest_value[axis], e->given.rest_index[axis], s);
}
