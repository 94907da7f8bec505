// The scene in Embree, and ray queries. Lengths are in view units: the origin is the camera's
// target, and its distance to the camera is 1, so that single precision suits scenes of any size.
#pragma once

#include "render/coat.h"
#include "render/lamps.h"
#include "render/texture/texture.h"

#include <sherd/render.h>

#include <embree3/rtcore.h>
#include <stdbool.h>

typedef enum tracer_kind {
    TRACER_OPAQUE = 0,
    TRACER_GLASS, // closed surface: a solid that refracts and absorbs
    // open surface of glass: each face is a thin pane, which transmits light without refraction
    TRACER_PANE,
    TRACER_LAMP, // emits from its front
} tracer_kind;

typedef struct tracer_face {
    vec3f color;
    float roughness;
    float f0; // reflectance of the coat at normal incidence
    float metal;
    texture_map texture;
} tracer_face;

typedef struct tracer_material {
    tracer_face faces[2]; // outer, inner
    tracer_kind kind;
    float refraction; // refractive index of glass
    vec3f absorption; // of glass [1 / view unit]
} tracer_material;

// What shading needs to know of one Embree geometry. Its index in the list is its `geomID`.
typedef struct tracer_geometry {
    tracer_material material;
    bool is_mesh;
    float outwards; // -1 if the geometric normals point into the body, else 1
    bool is_lamp;
    int lamp;                  // index among the lamps
    const float *colors;       // borrowed, per vertex or sphere, or NULL
    const float *outer_colors; // borrowed, per vertex, or NULL
    const uint8_t *face_kind;  // borrowed, or NULL
    const int32_t *group;      // borrowed, or NULL
    tracer_face *groups;       // owned: the looks of groups of outer faces
    const int32_t *triangles;  // borrowed, meshes only
    float *corner_normals;     // owned, meshes only (m x 9)
    // Embree's buffers, spheres only: x, y, z, radius (n x 4), when the shutter opens and when it
    // closes. The second is NULL for spheres at rest.
    const float *spheres[2];
    const double *vertices; // borrowed, meshes only: world coordinates [m] (n x 3)
    const double *rest;     // borrowed: the same in the rest configuration
    const float *uv;        // borrowed: texture coordinates of corners, or NULL (m x 6)
} tracer_geometry;

// The look of a triangle or a sphere.
static inline const tracer_face *tracer_face_of(const tracer_geometry *g, unsigned primitive,
                                                bool inner)
{
    bool grouped = !inner && g->group != NULL && g->group[primitive] >= 0;
    return grouped ? &g->groups[g->group[primitive]] : &g->material.faces[inner];
}

typedef struct sherd_tracer {
    RTCDevice device;
    RTCScene scene;
    tracer_geometry *geometries;
    int geometry_count;
    vec3f low, high; // bounding box of everything but the ground, over the time of exposure
    bool has_ground;
    vec3f ground_point, ground_normal;
    tracer_face ground;
    float pixel_angle; // of previews, whose ground shows no details below a pixel's size; else 0
    bool has_glass;
    bool touching; // there is more than one body of glass, so that faces may coincide
    bool has_clip;
    vec3f clip_point, clip_normal; // everything on the normal's side of this plane is hidden
    sherd_vec3 origin;             // world position of the camera's target [m]
    double scale;                  // view units per metre
    sherd_lamp lamps[SHERD_RENDER_MOST_LAMPS];
    int lamp_count;
} sherd_tracer;

// `near`: the distance at which the search begins [view units]. `time`: fraction of the exposure,
// in [0, 1].
typedef struct tracer_ray {
    vec3f origin, direction; // unit
    float near, time;
} tracer_ray;

typedef struct tracer_hit {
    float distance;
    vec3f position;
    vec3f normal; // shading normal, on the side the ray came from
    vec3f facet;  // geometric normal, on the same side
    coat_surface surface;
    tracer_kind kind;
    int geometry; // -1: ground
    int part;     // index of the sphere, since each sphere is a body of its own; 0 for meshes
    bool ground, inner;
    bool outwards; // the ray exits the body here
} tracer_hit;

// A face of glass that a ray crosses.
typedef struct tracer_crossing {
    float distance;
    int geometry, part; // the body, as in tracer_hit
    float cosine;       // of the angle between the ray and the geometric normal, > 0
    bool outwards;
} tracer_crossing;

enum { TRACER_MOST_CROSSINGS = 48 };

typedef struct tracer_crossings {
    tracer_crossing list[TRACER_MOST_CROSSINGS]; // sorted by distance
    int count;                                   // further crossings are ignored
    // transmittance of panes and of surfaces with colours per vertex
    vec3f tint;
} tracer_crossings;

// Builds the tracer. On failure everything is released and *tracer must not be used.
sherd_status sherd_tracer_open(sherd_tracer *tracer, const sherd_render_scene *scene,
                               sherd_error *error);
void sherd_tracer_close(sherd_tracer *tracer);

vec3f sherd_tracer_point(const sherd_tracer *tracer, sherd_vec3 world);

typedef enum tracer_coherence { TRACER_SCATTERED = 0, TRACER_COHERENT } tracer_coherence;

// The nearest surface along a ray. False if there is none, or if the ray is not finite.
bool sherd_tracer_nearest(const sherd_tracer *tracer, const tracer_ray *ray,
                          tracer_coherence coherence, tracer_hit *hit);

// The faces of glass that a shadow ray crosses up to a distance. False if something opaque occludes
// it.
bool sherd_tracer_crossings(const sherd_tracer *tracer, const tracer_ray *ray, float far,
                            tracer_crossings *crossings);

// The origin of a ray that leaves a hit towards `direction`, offset from the surface to avoid
// self-intersection.
vec3f sherd_tracer_leave(const tracer_hit *hit, vec3f direction);

// Embree needs denormals flushed to zero; the simulation must not be affected. All rendering on a
// thread happens between these two calls.
unsigned sherd_tracer_enter_fast_mode(void);
void sherd_tracer_leave_fast_mode(unsigned saved);
