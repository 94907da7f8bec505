// Bounding boxes extended by comparisons, which compile to single instructions, unlike fmin and
// fmax. For finite coordinates.
#pragma once

#include "math/vec3.h"

#include <sherd/types.h>

#include <math.h>

static inline sherd_bounds bounds_empty(void)
{
    return (sherd_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline void bounds_join(sherd_bounds *a, const sherd_bounds *b)
{
    a->low.x = b->low.x < a->low.x ? b->low.x : a->low.x;
    a->low.y = b->low.y < a->low.y ? b->low.y : a->low.y;
    a->low.z = b->low.z < a->low.z ? b->low.z : a->low.z;
    a->high.x = b->high.x > a->high.x ? b->high.x : a->high.x;
    a->high.y = b->high.y > a->high.y ? b->high.y : a->high.y;
    a->high.z = b->high.z > a->high.z ? b->high.z : a->high.z;
}

// Squared distance from p to a box, 0 inside it.
static inline double bounds_squared_gap(sherd_bounds box, sherd_vec3 p)
{
    sherd_vec3 q = vec3(fmax(fmax(box.low.x - p.x, p.x - box.high.x), 0.0),
                        fmax(fmax(box.low.y - p.y, p.y - box.high.y), 0.0),
                        fmax(fmax(box.low.z - p.z, p.z - box.high.z), 0.0));
    return vec3_dot(q, q);
}

static inline void bounds_add(sherd_bounds *a, sherd_vec3 p)
{
    const sherd_bounds point = {p, p};
    bounds_join(a, &point);
}
