// Growing boxes by comparisons, which become single instructions where fmin and fmax are calls. For
// finite coordinates.
#pragma once

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

static inline void bounds_add(sherd_bounds *a, sherd_vec3 p)
{
    const sherd_bounds point = {p, p};
    bounds_join(a, &point);
}
