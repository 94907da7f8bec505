// Reflection of a surface: a diffuse base below a smooth-to-rough clear coat.
#pragma once

#include "render/sampler.h"
#include "render/vec3f.h"

typedef struct coat_surface {
    vec3f albedo;    // diffuse reflectance of the base
    float roughness; // of the coat; GGX width alpha = roughness^2
    float f0;        // reflectance of the coat at normal incidence; 0 = no coat
    float
        metal; // share that is bare metal, whose gloss has the albedo's colour and which has no base
} coat_surface;

// Colour of the gloss: white, and a metal's own but where light grazes it.
static inline vec3f coat_gloss_color(const coat_surface *surface, float cosine)
{
    if (surface->metal <= 0.0f) return vec3f_make(1.0f, 1.0f, 1.0f);
    float m = 1.0f - float_min(float_max(cosine, 0.0f), 1.0f);
    float m2 = m * m, own = surface->metal * (1.0f - m2 * m2 * m);
    vec3f tint =
        vec3f_scale(1.0f / float_max(vec3f_largest(surface->albedo), 1e-6f), surface->albedo);
    return vec3f_mix(vec3f_make(1.0f, 1.0f, 1.0f), tint, own);
}

// What the base scatters, where it is not metal.
static inline vec3f coat_base_albedo(const coat_surface *surface)
{
    return vec3f_scale(1.0f - surface->metal, surface->albedo);
}

// Makes part of a surface metal: the gloss then is as strong as its colour.
static inline void coat_set_metal(coat_surface *surface, float metal)
{
    surface->metal = metal;
    surface->f0 += metal * (vec3f_largest(surface->albedo) - surface->f0);
}

// Without its gloss: metal then scatters what it would reflect.
static inline void coat_make_matte(coat_surface *surface)
{
    surface->f0 = surface->metal = 0.0f;
}

// Schlick's approximation of Fresnel reflectance.
static inline float coat_fresnel(float f0, float cosine)
{
    float m = 1.0f - float_min(float_max(cosine, 0.0f), 1.0f);
    float m2 = m * m;
    // Without a coat (f0 = 0) there is no grazing reflection either: fades in up to 2 %.
    float f90 = float_min(50.0f * f0, 1.0f);
    return f0 + (f90 - f0) * m2 * m2 * m;
}

// Light leaving towards a viewer per irradiance from a light, times the cosine, and how dense directions to that light
// are when chosen by the base and by the coat [1 / sr].
typedef struct coat_light {
    vec3f base;
    float gloss;
    float base_density, gloss_density;
} coat_light;

// `view`, `light`: unit, in the frame of the normal (z). Zero below the horizon.
coat_light sherd_coat_reflect(const coat_surface *surface, vec3f view, vec3f light);

// A direction reflected by the coat (visible normals of GGX), its weight, Fresnel times masking, and its density. The
// direction may point below the surface; its weight is 0 then.
vec3f sherd_coat_sample(const coat_surface *surface, vec3f view, sample2 random, float *weight,
                        float *density);

// A facet of a rough face, as dense as facets are seen.
vec3f sherd_coat_facet(float roughness, vec3f view, sample2 random);
// Share of what a facet sends that no other facet holds up; cosines of view and light.
float sherd_coat_unmasked(float roughness, float view, float light);

// A cosine-distributed direction about z.
vec3f sherd_cosine_sample(sample2 random);
