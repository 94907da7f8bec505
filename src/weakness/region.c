// Bonds whose midpoint is inside a shape, or near it.
#include "base/error.h"
#include "math/vec3.h"
#include "weakness/pattern.h"

typedef struct region_pattern {
    sherd_weakness base;
    const sherd_shape *shape;
    double falloff;
} region_pattern;

static sherd_status region_init(sherd_weakness *base, const sherd_weakness_def *def,
                                sherd_error *error)
{
    if (def->shape == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "shape", NULL, "is missing");
    region_pattern *p = (region_pattern *)base;
    p->shape = def->shape;
    p->falloff = def->falloff;
    return SHERD_OK;
}

static double region_amount(const sherd_weakness *base, sherd_vec3 i, sherd_vec3 j)
{
    const region_pattern *p = (const region_pattern *)base;
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(i, j));
    return sherd_pattern_fade(sherd_shape_distance(p->shape, middle), p->falloff);
}

const sherd_pattern_kind sherd_pattern_region = {
    .size = sizeof(region_pattern), .init = region_init, .amount = region_amount};
