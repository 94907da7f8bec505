#include "render/lamps.h"

#include "base/assertion.h"
#include "math/vec3.h"

static vec3f to_vec3f(sherd_vec3 v)
{
    return vec3f_make((float)v.x, (float)v.y, (float)v.z);
}

static sherd_lamp place(const sherd_render_lamp *from, sherd_vec3 origin, double scale)
{
    sherd_vec3 normal = vec3_normalize(vec3_sub(from->target, from->position));
    sherd_vec3 up = fabs(normal.z) > 0.999 ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
    sherd_vec3 across = vec3_normalize(vec3_cross(up, normal));
    sherd_vec3 along = vec3_cross(normal, across);
    return (sherd_lamp){
        .middle = to_vec3f(vec3_scale(scale, vec3_sub(from->position, origin))),
        .across = to_vec3f(vec3_scale(0.5 * scale * from->width, across)),
        .along = to_vec3f(vec3_scale(0.5 * scale * from->height, along)),
        .normal = to_vec3f(normal),
        .radiance = vec3f_make(from->radiance.r, from->radiance.g, from->radiance.b),
        .area = (float)(scale * scale * from->width * from->height),
    };
}

void sherd_lamps_place(const sherd_render_lamp *from, int count, sherd_vec3 origin, double scale,
                       sherd_lamp *lamps)
{
    float sum = 0.0f;
    for (int k = 0; k < count; ++k) {
        lamps[k] = place(&from[k], origin, scale);
        lamps[k].share = lamps[k].area * vec3f_luminance(lamps[k].radiance);
        sum += lamps[k].share;
    }
    for (int k = 0; k < count; ++k)
        lamps[k].share = sum > 0.0f ? lamps[k].share / sum : 1.0f / (float)count;
}

float sherd_lamp_density(const sherd_lamp *lamp, vec3f direction, float distance)
{
    float cosine = -vec3f_dot(direction, lamp->normal);
    return cosine > 1e-6f ? lamp->share * distance * distance / (lamp->area * cosine) : 0.0f;
}

sherd_lamp_sample sherd_lamps_choose(const sherd_lamp *lamps, int count, vec3f from, sample2 random)
{
    SHERD_ASSERT(count > 0, "one lamp is chosen among some");
    float u = random.u;
    int k = 0;
    for (; k + 1 < count && u >= lamps[k].share; ++k)
        u -= lamps[k].share;
    const sherd_lamp *lamp = &lamps[k];
    if (lamp->share <= 0.0f) return (sherd_lamp_sample){0};
    u = float_min(u / lamp->share, 1.0f);
    vec3f to = vec3f_add_scaled(lamp->middle, 2.0f * u - 1.0f, lamp->across);
    to = vec3f_sub(vec3f_add_scaled(to, 2.0f * random.v - 1.0f, lamp->along), from);
    sherd_lamp_sample s = {.distance = vec3f_length(to), .radiance = lamp->radiance};
    s.direction = vec3f_unit_or(to, lamp->normal);
    s.density = sherd_lamp_density(lamp, s.direction, s.distance);
    return s;
}

vec3f sherd_lamp_seen(const sherd_lamp *lamp, vec3f from, vec3f direction)
{
    const vec3f dark = {0.0f, 0.0f, 0.0f};
    float cosine = -vec3f_dot(direction, lamp->normal);
    if (cosine <= 1e-6f) return dark;
    float distance = vec3f_dot(vec3f_sub(from, lamp->middle), lamp->normal) / cosine;
    if (distance <= 0.0f) return dark;
    vec3f place = vec3f_sub(vec3f_add_scaled(from, distance, direction), lamp->middle);
    bool inside = fabsf(vec3f_dot(place, lamp->across)) <= vec3f_dot(lamp->across, lamp->across) &&
                  fabsf(vec3f_dot(place, lamp->along)) <= vec3f_dot(lamp->along, lamp->along);
    return inside ? lamp->radiance : dark;
}
