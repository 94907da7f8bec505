// A face between air and glass, clear or rough: what it reflects and how it bends light.
//   Walter et al., Microfacet models for refraction through rough surfaces (2007)
#pragma once

#include "render/sampler.h"
#include "render/vec3f.h"

#include <stdbool.h>

// Unpolarised reflectance of a smooth face by Fresnel's equations. `cosine` of the angle to the normal on the side that
// light comes from, >= 0; `ratio` of the refractive indices there and beyond. 1 where light is reflected totally.
float sherd_glass_reflectance(float cosine, float ratio);

// Direction of unit `direction` beyond a face by Snell's law; `normal` on the side that it comes from. False: reflected
// totally, and *bent is left alone.
bool sherd_glass_refract(vec3f direction, vec3f normal, float ratio, vec3f *bent);

// A direction that light takes at a face: reflected or bent, by chance, as the face does. Returns its weight, which is 1
// for clear glass and what neighbouring facets leave for rough one. `direction` is changed.
typedef struct sherd_glass_face {
    vec3f normal; // on the side that light comes from, unit
    float ratio;  // of refractive indices, there and beyond
    float roughness;
} sherd_glass_face;
bool sherd_glass_is_polished(const sherd_glass_face *face);
float sherd_glass_scatter(const sherd_glass_face *face, sample2 facet, float chance,
                          vec3f *direction, bool *through);

// Faces as near each other as this are at one place: single precision does not tell them apart.
static inline float sherd_glass_gap(float distance)
{
    return 4e-5f * (0.25f + distance);
}
