#include "render/glass.h"

#include "base/assertion.h"
#include "render/coat.h"

// Roughness up to which a face is treated as smooth.
static const float POLISHED = 0.03f;

float sherd_glass_reflectance(float cosine, float ratio)
{
    SHERD_ASSERT(ratio > 0.0f, "a ratio of indices is positive");
    float c = float_min(float_max(cosine, 0.0f), 1.0f);
    float sine2 = ratio * ratio * (1.0f - c * c); // squared sine of the angle of refraction
    if (sine2 >= 1.0f) return 1.0f;
    float beyond = sqrtf(1.0f - sine2);
    float across = (ratio * c - beyond) / (ratio * c + beyond);
    float along = (c - ratio * beyond) / (c + ratio * beyond);
    return 0.5f * (across * across + along * along);
}

bool sherd_glass_refract(vec3f direction, vec3f normal, float ratio, vec3f *bent)
{
    float c = -vec3f_dot(direction, normal);
    float rest = 1.0f - ratio * ratio * (1.0f - c * c);
    if (rest <= 0.0f) return false;
    vec3f along = vec3f_scale(ratio, direction);
    *bent = vec3f_unit_or(vec3f_add_scaled(along, ratio * c - sqrtf(rest), normal), direction);
    return true;
}

bool sherd_glass_is_polished(const sherd_glass_face *face)
{
    return face->roughness <= POLISHED;
}

static vec3f mirrored(vec3f direction, vec3f normal)
{
    return vec3f_add_scaled(direction, -2.0f * vec3f_dot(direction, normal), normal);
}

float sherd_glass_scatter(const sherd_glass_face *face, sample2 facet, float chance,
                          vec3f *direction, bool *through)
{
    bool rough = !sherd_glass_is_polished(face);
    frame3f frame = frame3f_about(face->normal);
    vec3f view = frame3f_to_local(frame, vec3f_scale(-1.0f, *direction));
    vec3f half = face->normal;
    if (rough) half = frame3f_to_world(frame, sherd_coat_facet(face->roughness, view, facet));
    float reflectance = sherd_glass_reflectance(-vec3f_dot(*direction, half), face->ratio);
    vec3f bent;
    *through = chance >= reflectance && sherd_glass_refract(*direction, half, face->ratio, &bent);
    *direction = vec3f_unit_or(*through ? bent : mirrored(*direction, half), *direction);
    if (!rough) return 1.0f;
    float side = vec3f_dot(*direction, face->normal) * (*through ? -1.0f : 1.0f);
    // Light blocked by another microfacet is lost, as in the coat.
    return side > 0.0f ? sherd_coat_unmasked(face->roughness, view.z, side) : 0.0f;
}
