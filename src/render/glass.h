// Interface between two dielectrics such as air and glass, smooth or rough: reflection and
// refraction.
//   Walter et al., Microfacet models for refraction through rough surfaces (2007)
#pragma once

#include "render/sampler.h"
#include "render/vec3f.h"

#include <stdbool.h>

// Fresnel reflectance of a smooth interface for unpolarised light. `cosine`: of the angle of
// incidence, >= 0. `ratio`: refractive index on the incident side over that on the other side. 1 at
// total internal reflection.
float sherd_glass_reflectance(float cosine, float ratio);

// Refracts the unit vector `direction` by Snell's law. `normal` is on the incident side. Returns
// false at total internal reflection and then leaves *bent unchanged.
bool sherd_glass_refract(vec3f direction, vec3f normal, float ratio, vec3f *bent);

// An interface at the point where a ray hits it.
typedef struct sherd_glass_face {
    vec3f normal; // unit, on the incident side
    float ratio;  // of the refractive indices, incident side over other side
    float roughness;
} sherd_glass_face;
// Whether the roughness is so small that the face is treated as smooth.
bool sherd_glass_is_polished(const sherd_glass_face *face);

// Samples reflection or refraction at an interface: `facet` chooses the microfacet, `chance`
// chooses between reflection and refraction with the probability of the Fresnel reflectance.
// Replaces `direction` and returns the throughput weight: 1 for a smooth interface, the masking by
// other microfacets (0 to 1) for a rough one.
float sherd_glass_scatter(const sherd_glass_face *face, sample2 facet, float chance,
                          vec3f *direction, bool *through);

// Faces closer together than this along a ray are treated as coincident: single precision cannot
// separate them.
static inline float sherd_glass_gap(float distance)
{
    return 4e-5f * (0.25f + distance);
}
