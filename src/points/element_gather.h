// Vectors and orientations of elements at arbitrary indices, one vector register at a time.
#pragma once

#include "math/lane.h"
#include "points/elements.h"

LANE_INLINE lane3 gather_vectors(const double *x, const double *y, const double *z,
                                 const int32_t *at)
{
    return (lane3){lane_gather(x, at), lane_gather(y, at), lane_gather(z, at)};
}

LANE_INLINE lane4 gather_orientations(const sherd_elements *e, const int32_t *at)
{
    return (lane4){lane_gather(e->qx, at), lane_gather(e->qy, at), lane_gather(e->qz, at),
                   lane_gather(e->qw, at)};
}
