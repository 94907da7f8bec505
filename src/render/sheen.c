#include "render/sheen.h"

static const float PI_F = 3.14159265f;

// The view's frame: z is up, x leads to the rim panel.
static vec3f mean_light(const sherd_lighting *l, frame3f frame, const coat_surface *ground,
                        vec3f view)
{
    enum { DIRECTIONS = 64 };
    vec3f sum = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < DIRECTIONS; ++k) {
        float v = 0.618034f * (float)k;
        sample2 random = {((float)k + 0.5f) / DIRECTIONS, v - floorf(v)};
        float weight, density;
        vec3f local = sherd_coat_sample(ground, view, random, &weight, &density);
        if (!(weight > 0.0f)) continue;
        sum = vec3f_add_scaled(sum, weight, sherd_lighting_sky(l, frame3f_to_world(frame, local)));
    }
    return vec3f_scale(1.0f / DIRECTIONS, sum);
}

bool sherd_sheen_init(sherd_sheen *sheen, const sherd_lighting *l, const sherd_tracer *t)
{
    const float least_roughness = 0.25f; // mirrors of smoother grounds are sharper than the table
    if (!t->has_ground || l->environment != NULL || !(t->ground.f0 > 0.0f) ||
        t->ground.metal > 0.0f || t->ground.roughness < least_roughness)
        return false;
    coat_surface ground = {t->ground.color, t->ground.roughness, t->ground.f0, 0.0f};
    vec3f up = l->up;
    vec3f level = vec3f_add_scaled(l->rim, -vec3f_dot(l->rim, up), up);
    frame3f frame = {.x = vec3f_unit_or(level, frame3f_about(up).x), .z = up};
    frame.y = vec3f_cross(up, frame.x);
    sheen->to_rim = frame.x;
    for (int r = 0; r < SHEEN_RISES; ++r)
        for (int k = 0; k < SHEEN_TURNS; ++k) {
            float cosine = float_max((float)r / (SHEEN_RISES - 1), 0.002f);
            float sine = sqrtf(float_max(1.0f - cosine * cosine, 0.0f));
            float turn = PI_F * (float)k / (SHEEN_TURNS - 1);
            vec3f view = vec3f_make(sine * cosf(turn), sine * sinf(turn), cosine);
            sheen->light[r][k] = mean_light(l, frame, &ground, view);
        }
    return true;
}

vec3f sherd_sheen_light(const sherd_sheen *sheen, vec3f up, vec3f view)
{
    float cosine = float_min(float_max(vec3f_dot(view, up), 0.0f), 1.0f);
    vec3f level = vec3f_unit_or(vec3f_add_scaled(view, -cosine, up), sheen->to_rim);
    float along = float_min(float_max(vec3f_dot(level, sheen->to_rim), -1.0f), 1.0f);
    float r = cosine * (SHEEN_RISES - 1.001f), t = acosf(along) / PI_F * (SHEEN_TURNS - 1.001f);
    int i = (int)r, k = (int)t;
    const vec3f *low = sheen->light[i], *high = sheen->light[i + 1];
    return vec3f_mix(vec3f_mix(low[k], low[k + 1], t - (float)k),
                     vec3f_mix(high[k], high[k + 1], t - (float)k), r - (float)i);
}
