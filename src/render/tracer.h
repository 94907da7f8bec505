// The scene as Embree sees it, and rays through it. Lengths are in view units: the camera's target
// is the origin and its distance to the camera is 1, so single precision suits scenes of any size.
#pragma once

#include "render/coat.h"
#include "render/lamps.h"
#include "render/texture/texture.h"

#include <sherd/render.h>

#include <embree3/rtcore.h>
#include <stdbool.h>

typedef enum tracer_kind {
    TRACER_OPAQUE = 0,
    TRACER_GLASS, // closed: light is refracted into it and absorbed on its way
    TRACER_PANE, // glass with an open surface: each face is a thin pane, which light goes straight through
    TRACER_LAMP, // shines on its front
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
    float refraction; // index of glass
    vec3f absorption; // of glass [1 / view unit]
} tracer_material;

// What shading needs of one Embree geometry; `geomID` is its place in the list.
typedef struct tracer_geometry {
    tracer_material material;
    bool is_mesh;
    float outwards; // -1 where facets' normals point into the body, else 1
    bool is_lamp;
    int lamp;                  // its place among the lamps
    const float *colors;       // borrowed, per vertex or sphere, or NULL
    const float *outer_colors; // borrowed, per vertex, or NULL
    const uint8_t *face_kind;  // borrowed, or NULL
    const int32_t *group;      // borrowed, or NULL
    tracer_face *groups;       // owned, of outer faces
    const int32_t *triangles;  // borrowed, meshes only
    float *corner_normals;     // owned, meshes only (m x 9)
    // Embree's buffers, spheres only: x, y, z, radius (n x 4); when the shutter closes, or NULL.
    const float *spheres[2];
    const double *vertices; // borrowed, meshes only, in the world [m] (n x 3)
    const double *rest;     // borrowed, the same at rest
    const float *uv;        // borrowed, of corners, or NULL (m x 6)
} tracer_geometry;

// How a triangle or sphere looks.
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
    vec3f low, high; // of all but the ground, while the shutter is open
    bool has_ground;
    vec3f ground_point, ground_normal;
    tracer_face ground;
    bool has_glass;
    bool touching; // more than one body of glass: faces may coincide
    bool has_clip;
    vec3f clip_point, clip_normal; // what lies on the normal's side is left out
    sherd_vec3 origin;             // world position of the camera's target [m]
    double scale;                  // view units per metre
    sherd_lamp lamps[SHERD_RENDER_MOST_LAMPS];
    int lamp_count;
} sherd_tracer;

// `near`: how far along it looks [view units]; `time`: while the shutter is open, in [0, 1].
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
    int part;     // of spheres, each a body of its own: which; else 0
    bool ground, inner;
    bool outwards; // the ray leaves the body
} tracer_hit;

// A face of glass that a ray goes through.
typedef struct tracer_crossing {
    float distance;
    int geometry, part; // the body, as in a hit
    float cosine;       // of the angle between ray and facet, > 0
    bool outwards;
} tracer_crossing;

enum { TRACER_MOST_CROSSINGS = 48 };

typedef struct tracer_crossings {
    tracer_crossing list[TRACER_MOST_CROSSINGS]; // by distance
    int count;                                   // those beyond the most are left out
    vec3f tint;                                  // of panes and of colours that show numbers
} tracer_crossings;

// Builds. On failure everything is released and *tracer is unusable.
sherd_status sherd_tracer_open(sherd_tracer *tracer, const sherd_render_scene *scene,
                               sherd_error *error);
void sherd_tracer_close(sherd_tracer *tracer);

vec3f sherd_tracer_point(const sherd_tracer *tracer, sherd_vec3 world);

typedef enum tracer_coherence { TRACER_SCATTERED = 0, TRACER_COHERENT } tracer_coherence;

// Nearest surface along a ray. A ray that is not finite hits nothing.
bool sherd_tracer_nearest(const sherd_tracer *tracer, const tracer_ray *ray,
                          tracer_coherence coherence, tracer_hit *hit);

// Faces of glass up to a distance. False where something opaque lies before it.
bool sherd_tracer_crossings(const sherd_tracer *tracer, const tracer_ray *ray, float far,
                            tracer_crossings *crossings);

// A start for rays leaving a hit on the side of `direction`, clear of the surface itself.
vec3f sherd_tracer_leave(const tracer_hit *hit, vec3f direction);

// Embree wants denormals flushed to zero; the simulation must not notice. Every stretch of
// rendering on a thread lies between these two.
unsigned sherd_tracer_enter_fast_mode(void);
void sherd_tracer_leave_fast_mode(unsigned saved);
