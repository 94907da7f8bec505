#include "render/lens.h"

#include "base/assertion.h"
#include "math/vec3.h"

static vec3f to_vec3f(sherd_vec3 v)
{
    return vec3f_make((float)v.x, (float)v.y, (float)v.z);
}

sherd_lens sherd_lens_make(const sherd_camera *c, double aspect, sherd_vec3 origin, double scale)
{
    sherd_vec3 sight = vec3_sub(c->target, c->position);
    double distance = vec3_length(sight);
    sherd_vec3 forward = vec3_scale(1.0 / distance, sight);
    sherd_vec3 right = vec3_normalize(vec3_cross(forward, vec3_normalize(c->up)));
    sherd_vec3 up = vec3_cross(right, forward);
    double high = tan(0.5 * c->vertical_fov), radius = 0.5 * c->aperture * scale;
    double focus = (c->focus > 0.0 ? c->focus : distance) * scale;
    return (sherd_lens){
        .position = to_vec3f(vec3_scale(scale, vec3_sub(c->position, origin))),
        .forward = to_vec3f(forward),
        .right = to_vec3f(vec3_scale(high * aspect, right)),
        .up = to_vec3f(vec3_scale(high, up)),
        .across = to_vec3f(vec3_scale(radius, right)),
        .along = to_vec3f(vec3_scale(radius, up)),
        .focus = (float)focus,
    };
}

sherd_lens sherd_lens_mix(const sherd_lens *a, const sherd_lens *b, float share)
{
    SHERD_ASSERT(share >= 0.0f && share <= 1.0f, "a moment lies between two");
    return (sherd_lens){
        .position = vec3f_mix(a->position, b->position, share),
        .forward = vec3f_mix(a->forward, b->forward, share),
        .right = vec3f_mix(a->right, b->right, share),
        .up = vec3f_mix(a->up, b->up, share),
        .across = vec3f_mix(a->across, b->across, share),
        .along = vec3f_mix(a->along, b->along, share),
        .focus = a->focus + share * (b->focus - a->focus),
    };
}

void sherd_lens_ray(const sherd_lens *lens, float u, float v, sample2 random, vec3f *origin,
                    vec3f *direction)
{
    vec3f d = vec3f_add_scaled(lens->forward, u, lens->right);
    d = vec3f_add_scaled(d, v, lens->up);
    *origin = lens->position;
    if (vec3f_dot(lens->along, lens->along) > 0.0f) {
        float r = sqrtf(random.u), sine, cosine;
        sincos_of_turn(random.v, &sine, &cosine);
        vec3f shift = vec3f_scale(r * cosine, lens->across);
        shift = vec3f_add_scaled(shift, r * sine, lens->along);
        *origin = vec3f_add(lens->position, shift);
        d = vec3f_sub(vec3f_scale(lens->focus, d), shift);
    }
    *direction = vec3f_unit_or(d, lens->forward);
}
