// Reflection of a surface: a diffuse base below a smooth-to-rough clear coat.
#pragma once

#include "render/sampler.h"
#include "render/vec3f.h"

typedef struct coat_surface {
    vec3f albedo;    // diffuse reflectance of the base
    float roughness; // of the coat; GGX width alpha = roughness^2
    float f0;        // reflectance of the coat at normal incidence; 0 = no coat
    float metal;     // fraction of bare metal: no base, and reflection in the colour of the albedo
} coat_surface;

// Colour of the specular reflection (gloss): white for a coat. A metal reflects in its own colour,
// which turns white at grazing angles.
static inline vec3f coat_gloss_color(const coat_surface *surface, float cosine)
{
    if (surface->metal <= 0.0f) return vec3f_make(1.0f, 1.0f, 1.0f);
    float m = 1.0f - float_min(float_max(cosine, 0.0f), 1.0f);
    float m2 = m * m, own = surface->metal * (1.0f - m2 * m2 * m);
    vec3f tint =
        vec3f_scale(1.0f / float_max(vec3f_largest(surface->albedo), 1e-6f), surface->albedo);
    return vec3f_mix(vec3f_make(1.0f, 1.0f, 1.0f), tint, own);
}

// Albedo of the diffuse base. The metallic fraction of the surface has no base.
static inline vec3f coat_base_albedo(const coat_surface *surface)
{
    return vec3f_scale(1.0f - surface->metal, surface->albedo);
}

// Makes the fraction `metal` of a surface metallic: its f0 moves towards the albedo's largest
// component.
static inline void coat_set_metal(coat_surface *surface, float metal)
{
    surface->metal = metal;
    surface->f0 += metal * (vec3f_largest(surface->albedo) - surface->f0);
}

// Removes the specular reflection. The metallic fraction then scatters diffusely with its albedo.
static inline void coat_make_matte(coat_surface *surface)
{
    surface->f0 = surface->metal = 0.0f;
}

// Schlick's approximation of Fresnel reflectance.
static inline float coat_fresnel(float f0, float cosine)
{
    float m = 1.0f - float_min(float_max(cosine, 0.0f), 1.0f);
    float m2 = m * m;
    // Without a coat (f0 = 0) nothing may be reflected at grazing angles either, so that the
    // reflectance at grazing incidence fades in as f0 rises to 2 %.
    float f90 = float_min(50.0f * f0, 1.0f);
    return f0 + (f90 - f0) * m2 * m2 * m;
}

// BSDF times the cosine of the incident direction, for the base and for the gloss (without its
// colour), and the densities with which sampling the base or the coat chooses this incident
// direction [1 / sr].
typedef struct coat_light {
    vec3f base;
    float gloss;
    float base_density, gloss_density;
} coat_light;

// `view`, `light`: unit vectors in the frame of the normal (z). The result is 0 if either is below
// the horizon.
coat_light sherd_coat_reflect(const coat_surface *surface, vec3f view, vec3f light);

// Samples a direction of reflection by the coat, from the distribution of visible GGX normals.
// `weight` is the throughput of this sample (Fresnel reflectance times masking) and `density` its
// sampling density [1 / sr]. The direction may point below the surface; both are 0 then.
vec3f sherd_coat_sample(const coat_surface *surface, vec3f view, sample2 random, float *weight,
                        float *density);

// Samples a microfacet normal from the distribution of GGX normals that are visible from `view`.
vec3f sherd_coat_facet(float roughness, vec3f view, sample2 random);
// Fraction of the light leaving a visible microfacet that no other facet blocks (G2 / G1). `view`
// and `light` are cosines of the angles to the normal.
float sherd_coat_unmasked(float roughness, float view, float light);

// Samples a direction in the hemisphere about z with a density proportional to the cosine.
vec3f sherd_cosine_sample(sample2 random);
