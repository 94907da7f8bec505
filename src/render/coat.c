#include "render/coat.h"

#include "base/assertion.h"

static const float PI_F = 3.14159265f;

// Width of the GGX distribution. It is bounded below so that highlights stay finite.
static float alpha_of(float roughness)
{
    return float_max(roughness * roughness, 2e-3f);
}

static float coat_alpha(const coat_surface *surface)
{
    return alpha_of(surface->roughness);
}

// Smith's Lambda for GGX: masking G1 = 1 / (1 + Lambda).
static float smith_lambda(float alpha, float cosine)
{
    float c2 = cosine * cosine;
    float tan2 = (1.0f - c2) / float_max(c2, 1e-8f);
    return 0.5f * (sqrtf(1.0f + alpha * alpha * tan2) - 1.0f);
}

static float facet_density(float alpha, float cosine)
{
    float a2 = alpha * alpha;
    float t = cosine * cosine * (a2 - 1.0f) + 1.0f;
    return a2 / (PI_F * t * t);
}

coat_light sherd_coat_reflect(const coat_surface *surface, vec3f view, vec3f light)
{
    coat_light result = {0};
    if (light.z <= 0.0f || view.z <= 0.0f) return result;
    // Light is transmitted through the coat twice, each time without the fraction that it reflects.
    float through =
        (1.0f - coat_fresnel(surface->f0, light.z)) * (1.0f - coat_fresnel(surface->f0, view.z));
    result.base = vec3f_scale(through * light.z / PI_F, coat_base_albedo(surface));
    result.base_density = light.z / PI_F;
    if (surface->f0 <= 0.0f) return result;

    vec3f half = vec3f_unit_or(vec3f_add(view, light), vec3f_make(0.0f, 0.0f, 1.0f));
    float alpha = coat_alpha(surface);
    float density = facet_density(alpha, half.z);
    float lambda_view = smith_lambda(alpha, view.z);
    float masking = 1.0f / (1.0f + smith_lambda(alpha, light.z) + lambda_view);
    float fresnel = coat_fresnel(surface->f0, vec3f_dot(half, light));
    result.gloss = density * masking * fresnel / (4.0f * view.z);
    result.gloss_density = density / ((1.0f + lambda_view) * 4.0f * view.z);
    return result;
}

// Heitz, Sampling the GGX distribution of visible normals (2018).
static vec3f visible_normal(float alpha, vec3f view, sample2 random)
{
    vec3f v = vec3f_unit_or(vec3f_make(alpha * view.x, alpha * view.y, view.z),
                            vec3f_make(0.0f, 0.0f, 1.0f));
    frame3f frame = frame3f_about(v);
    float r = sqrtf(random.u), sine, cosine;
    sincos_of_turn(random.v, &sine, &cosine);
    float t1 = r * cosine, t2 = r * sine;
    // One half of the disk of projected normals is foreshortened: warp it along the axis in the
    // plane of the view and the normal.
    vec3f up = vec3f_make(0.0f, 0.0f, 1.0f);
    vec3f x = vec3f_unit_or(vec3f_cross(up, v), frame.x);
    vec3f y = vec3f_cross(v, x);
    float s = 0.5f * (1.0f + v.z);
    t2 = (1.0f - s) * sqrtf(float_max(0.0f, 1.0f - t1 * t1)) + s * t2;
    float t3 = sqrtf(float_max(0.0f, 1.0f - t1 * t1 - t2 * t2));
    vec3f h = frame3f_to_world((frame3f){x, y, v}, vec3f_make(t1, t2, t3));
    return vec3f_unit_or(vec3f_make(alpha * h.x, alpha * h.y, float_max(1e-6f, h.z)), up);
}

vec3f sherd_coat_facet(float roughness, vec3f view, sample2 random)
{
    return visible_normal(alpha_of(roughness), view, random);
}

float sherd_coat_unmasked(float roughness, float view, float light)
{
    SHERD_ASSERT(roughness >= 0.0f && view > 0.0f && light > 0.0f, "light comes from in front");
    float alpha = alpha_of(roughness), lambda_view = smith_lambda(alpha, view);
    return (1.0f + lambda_view) / (1.0f + lambda_view + smith_lambda(alpha, light));
}

vec3f sherd_coat_sample(const coat_surface *surface, vec3f view, sample2 random, float *weight,
                        float *density)
{
    float alpha = coat_alpha(surface);
    vec3f half = visible_normal(alpha, view, random);
    float cosine = vec3f_dot(view, half);
    vec3f light = vec3f_sub(vec3f_scale(2.0f * cosine, half), view);
    *weight = *density = 0.0f;
    if (light.z <= 0.0f || view.z <= 0.0f) return light;
    *weight = coat_fresnel(surface->f0, cosine) *
              sherd_coat_unmasked(surface->roughness, view.z, light.z);
    *density =
        facet_density(alpha, half.z) / ((1.0f + smith_lambda(alpha, view.z)) * 4.0f * view.z);
    return light;
}

vec3f sherd_cosine_sample(sample2 random)
{
    float r = sqrtf(random.u), sine, cosine;
    sincos_of_turn(random.v, &sine, &cosine);
    return vec3f_make(r * cosine, r * sine, sqrtf(float_max(0.0f, 1.0f - random.u)));
}
