// The scene as Embree sees it, and rays through it. Lengths are in view units: the camera's target
// is the origin and its distance to the camera is 1, so single precision suits scenes of any size.
#pragma once

#include "render/coat.h"

#include <sherd/render.h>

#include <embree3/rtcore.h>
#include <stdbool.h>

// Share of light stopped by a frosted fracture face of glass.
static const float TRACER_FROST = 0.35f;

typedef struct tracer_material {
    vec3f color[2]; // outer, inner
    float roughness[2];
    float f0[2]; // reflectance of the coat at normal incidence
    bool glass;
} tracer_material;

// What shading needs of one Embree geometry; `geomID` is its place in the list.
typedef struct tracer_geometry {
    tracer_material material;
    bool is_mesh;
    const float *colors;      // borrowed, per vertex or sphere, or NULL
    const uint8_t *face_kind; // borrowed, or NULL
    const int32_t *triangles; // borrowed, meshes only
    float *corner_normals;    // owned, meshes only (m x 9)
    const float *spheres;     // Embree's buffer, spheres only: x, y, z, radius (n x 4)
} tracer_geometry;

typedef struct sherd_tracer {
    RTCDevice device;
    RTCScene scene;
    tracer_geometry *geometries;
    int geometry_count;
    bool has_ground;
    vec3f ground_point, ground_normal;
    tracer_material ground;
    bool has_clip;
    vec3f clip_point, clip_normal; // what lies on the normal's side is left out
    sherd_vec3 origin;             // world position of the camera's target [m]
    double scale;                  // view units per metre
} sherd_tracer;

typedef struct tracer_hit {
    float distance;
    vec3f position;
    vec3f normal; // shading normal, on the side the ray came from
    vec3f facet;  // geometric normal, on the same side
    coat_surface surface;
    bool ground, glass, inner;
} tracer_hit;

// Builds. On failure everything is released and *tracer is unusable.
sherd_status sherd_tracer_open(sherd_tracer *tracer, const sherd_render_scene *scene,
                               sherd_error *error);
void sherd_tracer_close(sherd_tracer *tracer);

vec3f sherd_tracer_point(const sherd_tracer *tracer, sherd_vec3 world);

typedef enum tracer_coherence { TRACER_SCATTERED = 0, TRACER_COHERENT } tracer_coherence;

// Nearest surface along a ray with unit direction. A ray that is not finite hits nothing.
bool sherd_tracer_nearest(const sherd_tracer *tracer, vec3f origin, vec3f direction,
                          tracer_coherence coherence, tracer_hit *hit);

// Share of light that passes along a ray to infinity: 0 behind anything opaque, tinted by glass.
vec3f sherd_tracer_visibility(const sherd_tracer *tracer, vec3f origin, vec3f direction);

// A start for rays leaving a hit on the side of `direction`, clear of the surface itself.
vec3f sherd_tracer_leave(const tracer_hit *hit, vec3f direction);

// Embree wants denormals flushed to zero; the simulation must not notice. Every stretch of
// rendering on a thread lies between these two.
unsigned sherd_tracer_enter_fast_mode(void);
void sherd_tracer_leave_fast_mode(unsigned saved);
