#include "render/tracer.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/thread_pool.h"
#include "math/vec3.h"
#include "render/corner_normals.h"

#include <stdio.h>
#include <time.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

// A glazed or clear surface of refractive index 1.5 reflects ((1.5 - 1) / (1.5 + 1))^2.
static const float GLAZE_F0 = 0.04f;

// Rays start this far from the surface that they leave, relative to its distance from the origin and camera:
// some hundred roundings of single precision.
static const float CLEARANCE = 2e-5f;

// Far debris is drawn at most this far out [view units], so that every number stays finite.
static const double FAR_AWAY = 1e9;

unsigned sherd_tracer_enter_fast_mode(void)
{
#if defined(__SSE__)
    const unsigned exceptions_masked = 0x1f80u, flush_to_zero = 0x8000u, denormals_zero = 0x0040u;
    unsigned saved = _mm_getcsr();
    _mm_setcsr(exceptions_masked | flush_to_zero | denormals_zero);
    return saved;
#else
    return 0;
#endif
}

void sherd_tracer_leave_fast_mode(unsigned saved)
{
#if defined(__SSE__)
    _mm_setcsr(saved);
#else
    (void)saved;
#endif
}

static float view_coordinate(double metres, double origin, double scale)
{
    return (float)fmax(-FAR_AWAY, fmin((metres - origin) * scale, FAR_AWAY));
}

vec3f sherd_tracer_point(const sherd_tracer *t, sherd_vec3 p)
{
    return vec3f_make(view_coordinate(p.x, t->origin.x, t->scale),
                      view_coordinate(p.y, t->origin.y, t->scale),
                      view_coordinate(p.z, t->origin.z, t->scale));
}

static vec3f vec3f_of_color(sherd_color c)
{
    return vec3f_make(c.r, c.g, c.b);
}

static tracer_material material_of(const sherd_render_material *m)
{
    return (tracer_material){
        .color = {vec3f_of_color(m->outer_color), vec3f_of_color(m->inner_color)},
        .roughness = {(float)m->outer_roughness, (float)m->inner_roughness},
        .f0 = {GLAZE_F0 * (float)m->outer_coat, GLAZE_F0 * (float)m->inner_coat},
        .glass = m->surface == SHERD_RENDER_GLASS,
    };
}

// --- Building -----------------------------------------------------------------------------------

typedef struct shadow_context {
    struct RTCIntersectContext embree; // must be first: Embree hands its address to the filter
    const sherd_tracer *tracer;
    vec3f passed;
} shadow_context;

static coat_surface surface_at(const tracer_geometry *g, unsigned primitive, float u, float v,
                               bool inner);

static bool face_is_inner(const tracer_geometry *g, unsigned primitive)
{
    return g->face_kind != NULL && g->face_kind[primitive] != 0;
}

// Tint of light going straight through one face of a pane.
static vec3f glass_passes(vec3f tint, bool inner)
{
    return vec3f_scale((1.0f - GLAZE_F0) * (inner ? 1.0f - TRACER_FROST : 1.0f), tint);
}

// Shadow rays pass glass, tinted.
static void let_light_through(const struct RTCFilterFunctionNArguments *arguments)
{
    shadow_context *shadow = (shadow_context *)arguments->context;
    const tracer_geometry *g = arguments->geometryUserPtr;
    // Rays are shot one by one, so the packet of hits is a single one.
    const struct RTCHit *hit = (const struct RTCHit *)arguments->hit;
    bool inner = face_is_inner(g, hit->primID);
    coat_surface surface = surface_at(g, hit->primID, hit->u, hit->v, inner);
    shadow->passed = vec3f_mul(shadow->passed, glass_passes(surface.albedo, inner));
    arguments->valid[0] = 0;
}

static void attach(sherd_tracer *t, RTCGeometry geometry, const tracer_geometry *added)
{
    tracer_geometry *stored = &t->geometries[t->geometry_count];
    *stored = *added;
    rtcSetGeometryUserData(geometry, stored);
    if (added->material.glass) rtcSetGeometryOccludedFilterFunction(geometry, let_light_through);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(t->scene, geometry, (unsigned)t->geometry_count++);
    rtcReleaseGeometry(geometry);
}

// Meshes of more triangles than this are prepared one after another, each by all threads.
enum { LARGE_MESH = 20000 };

// A mesh on its way into the tracer.
typedef struct new_mesh {
    const sherd_render_mesh *mesh;
    RTCGeometry geometry;
    float *vertices, *normals; // Embree's; by corner, owned
    unsigned *indices;         // Embree's
} new_mesh;

typedef struct mesh_job {
    const sherd_tracer *t;
    new_mesh *meshes;
} mesh_job;

static bool open_mesh(sherd_tracer *t, const sherd_render_mesh *mesh, new_mesh *out)
{
    size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
    *out = (new_mesh){.mesh = mesh};
    if (m == 0) return true;
    out->geometry = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    out->vertices = rtcSetNewGeometryBuffer(out->geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                            RTC_FORMAT_FLOAT3, 3 * sizeof(float), n);
    out->indices = rtcSetNewGeometryBuffer(out->geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                           RTC_FORMAT_UINT3, 3 * sizeof(unsigned), m);
    return out->vertices != NULL && out->indices != NULL;
}

static void fill_mesh(const sherd_tracer *t, new_mesh *m, const sherd_parallel *parallel)
{
    const sherd_render_mesh *mesh = m->mesh;
    m->normals = sherd_corner_normals(mesh, parallel);
    for (size_t v = 0; v < (size_t)mesh->vertex_count; ++v) {
        const double *p = mesh->vertices + 3 * v;
        vec3f q = sherd_tracer_point(t, vec3(p[0], p[1], p[2]));
        m->vertices[3 * v] = q.x, m->vertices[3 * v + 1] = q.y, m->vertices[3 * v + 2] = q.z;
    }
    for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; ++k)
        m->indices[k] = (unsigned)mesh->triangles[k];
}

static bool is_large(const new_mesh *m)
{
    return m->mesh->triangle_count > LARGE_MESH;
}

static void fill_small_meshes(void *context, size_t begin, size_t end)
{
    const mesh_job *job = context;
    sherd_parallel serial = {1};
    for (size_t k = begin; k < end; ++k)
        if (job->meshes[k].geometry != NULL && !is_large(&job->meshes[k]))
            fill_mesh(job->t, &job->meshes[k], &serial);
}

static bool attach_mesh(sherd_tracer *t, new_mesh *m)
{
    if (m->normals == NULL) return false;
    tracer_geometry added = {.material = material_of(&m->mesh->material),
                             .is_mesh = true,
                             .colors = m->mesh->colors,
                             .face_kind = m->mesh->face_kind,
                             .triangles = m->mesh->triangles,
                             .corner_normals = m->normals};
    attach(t, m->geometry, &added);
    m->geometry = NULL;
    return true;
}

static bool fill_meshes(sherd_tracer *t, new_mesh *meshes, int32_t count,
                        const sherd_parallel *parallel)
{
    for (int32_t k = 0; k < count; ++k)
        if (meshes[k].geometry != NULL && is_large(&meshes[k])) fill_mesh(t, &meshes[k], parallel);
    sherd_parallel_for(parallel, (size_t)count, 4, fill_small_meshes, &(mesh_job){t, meshes});
    bool ok = true;
    for (int32_t k = 0; ok && k < count; ++k)
        ok = meshes[k].geometry == NULL || attach_mesh(t, &meshes[k]);
    return ok;
}

static bool add_meshes(sherd_tracer *t, const sherd_render_scene *scene,
                       const sherd_parallel *parallel)
{
    new_mesh *meshes = sherd_alloc((size_t)scene->mesh_count, sizeof *meshes);
    bool ok = meshes != NULL;
    for (int32_t k = 0; ok && k < scene->mesh_count; ++k)
        ok = open_mesh(t, &scene->meshes[k], &meshes[k]);
    ok = ok && fill_meshes(t, meshes, scene->mesh_count, parallel);
    for (int32_t k = 0; meshes != NULL && k < scene->mesh_count; ++k) {
        if (meshes[k].geometry == NULL) continue; // attached, or none
        rtcReleaseGeometry(meshes[k].geometry);
        sherd_free(meshes[k].normals);
    }
    sherd_free(meshes);
    return ok;
}

static bool add_spheres(sherd_tracer *t, const sherd_render_spheres *s)
{
    if (s->count == 0) return true;
    RTCGeometry geometry = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float *spheres = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                             4 * sizeof(float), (size_t)s->count);
    if (spheres == NULL) {
        rtcReleaseGeometry(geometry);
        return false;
    }
    for (size_t i = 0; i < (size_t)s->count; ++i) {
        vec3f c = sherd_tracer_point(t, vec3(s->x[i], s->y[i], s->z[i]));
        spheres[4 * i] = c.x, spheres[4 * i + 1] = c.y, spheres[4 * i + 2] = c.z;
        spheres[4 * i + 3] = view_coordinate(s->radius[i], 0.0, t->scale);
    }
    tracer_geometry added = {
        .material = material_of(&s->material), .colors = s->colors, .spheres = spheres};
    attach(t, geometry, &added);
    return true;
}

static void place_ground(sherd_tracer *t, const sherd_render_ground *ground)
{
    t->has_ground = ground->kind == SHERD_RENDER_GROUND_PLANE;
    sherd_vec3 n = vec3_normalize(ground->normal);
    t->ground_normal = vec3f_make((float)n.x, (float)n.y, (float)n.z);
    t->ground_point = sherd_tracer_point(t, ground->point);
    vec3f color = vec3f_of_color(ground->color);
    t->ground = (tracer_material){
        .color = {color, color},
        .roughness = {(float)ground->roughness, (float)ground->roughness},
        .f0 = {GLAZE_F0 * (float)ground->coat, GLAZE_F0 * (float)ground->coat},
    };
}

static void place_clip(sherd_tracer *t, const sherd_render_clip *clip)
{
    t->has_clip = vec3_length(clip->normal) > 0.0;
    if (!t->has_clip) return;
    sherd_vec3 n = vec3_normalize(clip->normal);
    t->clip_normal = vec3f_make((float)n.x, (float)n.y, (float)n.z);
    t->clip_point = sherd_tracer_point(t, clip->point);
}

static sherd_status fail_embree(RTCDevice device, sherd_error *error)
{
    if (rtcGetDeviceError(device) == RTC_ERROR_OUT_OF_MEMORY)
        return sherd_fail_memory(error, "picture");
    return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "Embree", "pictures need an x86-64 processor",
                      "the ray tracer failed to start");
}

static sherd_status fill(sherd_tracer *t, const sherd_render_scene *scene, sherd_error *error)
{
    sherd_parallel parallel = {scene->threads};
    bool added = add_meshes(t, scene, &parallel);
    for (int b = 0; added && b < scene->sphere_batch_count; ++b)
        added = add_spheres(t, &scene->spheres[b]);
    if (!added) return sherd_fail_memory(error, "picture geometry");
    rtcCommitScene(t->scene);
    if (rtcGetDeviceError(t->device) != RTC_ERROR_NONE)
        return sherd_fail_memory(error, "picture geometry");
    return SHERD_OK;
}

// Embree's task scheduler starts threads of its own, one even where it is to use only the caller's, and
// ends the process when it can't. How many it may use; 0 with an error.
static int find_threads(const sherd_render_scene *scene, sherd_error *error)
{
    enum { TRIES = 20 };
    sherd_parallel parallel = {scene->threads};
    int room = 0;
    for (int k = 0; k < TRIES && room == 0; ++k) {
        // Those of the last picture may be about to end.
        if (k > 0) nanosleep(&(struct timespec){0, 10000000}, NULL);
        room = sherd_thread_pool_room(sherd_parallel_threads(&parallel));
    }
    if (room == 0)
        sherd_fail(
            error, SHERD_ERROR_UNSUPPORTED, "pictures",
            "allow more (ulimit -u, the limit of the container), or use --no-pictures; sherd "
            "render makes them later",
            "they need one thread more than the system allows this process");
    return room;
}

sherd_status sherd_tracer_open(sherd_tracer *t, const sherd_render_scene *scene, sherd_error *error)
{
    const sherd_camera *camera = &scene->camera;
    *t = (sherd_tracer){.origin = camera->target,
                        .scale = 1.0 / vec3_distance(camera->position, camera->target)};
    place_ground(t, &scene->ground);
    place_clip(t, &scene->clip);
    int threads = find_threads(scene, error);
    if (threads == 0) return SHERD_ERROR_UNSUPPORTED;
    char settings[64];
    snprintf(settings, sizeof settings, "threads=%d,set_affinity=0", threads);
    unsigned mode = sherd_tracer_enter_fast_mode();
    sherd_status status = SHERD_OK;
    size_t bodies = (size_t)scene->mesh_count + (size_t)scene->sphere_batch_count;
    t->geometries = sherd_alloc(bodies, sizeof *t->geometries);
    t->device = rtcNewDevice(settings);
    if (t->geometries == NULL)
        status = sherd_fail_memory(error, "picture geometry");
    else if (t->device == NULL || (t->scene = rtcNewScene(t->device)) == NULL)
        status = fail_embree(t->device, error);
    else
        status = fill(t, scene, error);
    if (status != SHERD_OK) sherd_tracer_close(t);
    sherd_tracer_leave_fast_mode(mode);
    return status;
}

void sherd_tracer_close(sherd_tracer *t)
{
    for (int g = 0; g < t->geometry_count; ++g)
        sherd_free(t->geometries[g].corner_normals);
    if (t->scene != NULL) rtcReleaseScene(t->scene);
    if (t->device != NULL) rtcReleaseDevice(t->device);
    sherd_free(t->geometries);
    *t = (sherd_tracer){0};
}

// --- Rays ---------------------------------------------------------------------------------------

static vec3f load3(const float *p)
{
    return vec3f_make(p[0], p[1], p[2]);
}

static vec3f interpolate(vec3f a, vec3f b, vec3f c, float u, float v)
{
    return vec3f_add_scaled(vec3f_add_scaled(vec3f_scale(1.0f - u - v, a), u, b), v, c);
}

static coat_surface surface_at(const tracer_geometry *g, unsigned primitive, float u, float v,
                               bool inner)
{
    const tracer_material *m = &g->material;
    coat_surface surface = {m->color[inner], m->roughness[inner], m->f0[inner]};
    if (g->colors == NULL) return surface;
    if (g->is_mesh) {
        const int32_t *corner = g->triangles + 3 * (size_t)primitive;
        surface.albedo = interpolate(load3(g->colors + 3 * (size_t)corner[0]),
                                     load3(g->colors + 3 * (size_t)corner[1]),
                                     load3(g->colors + 3 * (size_t)corner[2]), u, v);
    } else {
        surface.albedo = load3(g->colors + 3 * (size_t)primitive);
    }
    return surface;
}

static void face_the_ray(tracer_hit *hit, vec3f direction)
{
    if (vec3f_dot(hit->facet, direction) > 0.0f) hit->facet = vec3f_scale(-1.0f, hit->facet);
    if (vec3f_dot(hit->normal, hit->facet) < 0.0f) hit->normal = vec3f_scale(-1.0f, hit->normal);
    // An interpolated normal may lean away from the viewer near a silhouette: bend it back.
    float lean = vec3f_dot(hit->normal, direction);
    if (lean > -1e-3f)
        hit->normal =
            vec3f_unit_or(vec3f_add_scaled(hit->normal, -(lean + 2e-3f), direction), hit->facet);
}

static void describe_hit(const sherd_tracer *t, const struct RTCRayHit *rh, vec3f origin,
                         vec3f direction, tracer_hit *hit)
{
    const tracer_geometry *g = &t->geometries[rh->hit.geomID];
    unsigned primitive = rh->hit.primID;
    *hit = (tracer_hit){.distance = rh->ray.tfar, .glass = g->material.glass};
    hit->position = vec3f_add_scaled(origin, rh->ray.tfar, direction);
    vec3f against = vec3f_scale(-1.0f, direction);
    hit->facet = vec3f_unit_or(vec3f_make(rh->hit.Ng_x, rh->hit.Ng_y, rh->hit.Ng_z), against);
    hit->inner = face_is_inner(g, primitive);
    hit->normal = hit->facet;
    if (g->is_mesh) {
        const float *n = g->corner_normals + 9 * (size_t)primitive;
        hit->normal = vec3f_unit_or(
            interpolate(load3(n), load3(n + 3), load3(n + 6), rh->hit.u, rh->hit.v), hit->facet);
    } else {
        // Back onto the sphere: the distance is too coarse for small ones.
        const float *s = g->spheres + 4 * (size_t)primitive;
        hit->position = vec3f_add_scaled(load3(s), s[3], hit->facet);
    }
    hit->surface = surface_at(g, primitive, rh->hit.u, rh->hit.v, hit->inner);
    face_the_ray(hit, direction);
}

// The stretch of a ray on which there is anything but ground.
typedef struct ray_stretch {
    float near, far;
    bool from_cut; // it begins at the clipping plane
} ray_stretch;

// False when there is none.
static bool find_stretch(const sherd_tracer *t, vec3f origin, vec3f direction, ray_stretch *out)
{
    *out = (ray_stretch){0.0f, INFINITY, false};
    if (!t->has_clip) return true;
    float height = vec3f_dot(vec3f_sub(origin, t->clip_point), t->clip_normal);
    float climb = vec3f_dot(direction, t->clip_normal);
    if (height > 0.0f) {
        *out = (ray_stretch){-height / climb, INFINITY, true};
        return climb < -1e-6f;
    }
    if (climb > 1e-6f) out->far = -height / climb;
    return true;
}

static struct RTCRay make_ray(vec3f origin, vec3f direction)
{
    return (struct RTCRay){.org_x = origin.x,
                           .org_y = origin.y,
                           .org_z = origin.z,
                           .dir_x = direction.x,
                           .dir_y = direction.y,
                           .dir_z = direction.z,
                           .tfar = INFINITY,
                           .mask = UINT32_MAX};
}

// Geometries that a ray is inside of, as far as it has been followed.
enum { MOST_INSIDE = 16, MOST_CROSSINGS = 64 };

typedef struct ray_inside {
    unsigned geometries[MOST_INSIDE];
    int count;
} ray_inside;

// Whether it left one that it had not entered: it began in there.
static bool began_inside(ray_inside *inside, unsigned geometry, bool outwards)
{
    int k = 0;
    while (k < inside->count && inside->geometries[k] != geometry)
        ++k;
    if (outwards && k == inside->count) return true;
    if (outwards)
        inside->geometries[k] = inside->geometries[--inside->count];
    else if (inside->count < MOST_INSIDE)
        inside->geometries[inside->count++] = geometry;
    return false;
}

// Whether the clipping plane cuts something closed where the ray comes out of it: then the ray leaves that
// without having entered. Bodies pressed into each other make it cross others' surfaces before.
static bool find_cut(const sherd_tracer *t, const ray_stretch *stretch, vec3f origin,
                     vec3f direction, struct RTCRayHit *rh)
{
    ray_inside inside = {.count = 0};
    float near = stretch->near;
    for (int k = 0; k < MOST_CROSSINGS; ++k) {
        struct RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        *rh = (struct RTCRayHit){.ray = make_ray(origin, direction),
                                 .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
        rh->ray.tnear = near;
        rtcIntersect1(t->scene, &context, rh);
        if (rh->hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
        vec3f facet = vec3f_make(rh->hit.Ng_x, rh->hit.Ng_y, rh->hit.Ng_z);
        if (began_inside(&inside, rh->hit.geomID, vec3f_dot(facet, direction) > 0.0f)) return true;
        near = rh->ray.tfar + 1e-6f * (1.0f + rh->ray.tfar);
    }
    return false;
}

static void describe_cut(const sherd_tracer *t, const struct RTCRayHit *rh, float distance,
                         vec3f origin, vec3f direction, tracer_hit *hit)
{
    const tracer_geometry *g = &t->geometries[rh->hit.geomID];
    *hit = (tracer_hit){.distance = distance,
                        .position = vec3f_add_scaled(origin, distance, direction),
                        .normal = t->clip_normal,
                        .facet = t->clip_normal,
                        .surface = surface_at(g, rh->hit.primID, rh->hit.u, rh->hit.v, true),
                        .glass = g->material.glass,
                        .inner = true};
}

// Distance to the ground seen from above, or infinity.
static float ground_distance(const sherd_tracer *t, vec3f origin, vec3f direction)
{
    if (!t->has_ground) return INFINITY;
    float descent = vec3f_dot(direction, t->ground_normal);
    float height = vec3f_dot(vec3f_sub(origin, t->ground_point), t->ground_normal);
    return descent < -1e-6f && height > 0.0f ? -height / descent : INFINITY;
}

static void describe_ground(const sherd_tracer *t, vec3f origin, vec3f direction, float distance,
                            tracer_hit *hit)
{
    *hit = (tracer_hit){.distance = distance,
                        .position = vec3f_add_scaled(origin, distance, direction),
                        .normal = t->ground_normal,
                        .facet = t->ground_normal,
                        .surface = {t->ground.color[0], t->ground.roughness[0], t->ground.f0[0]},
                        .ground = true};
}

static bool ray_is_finite(vec3f origin, vec3f direction)
{
    float sum = fabsf(origin.x) + fabsf(origin.y) + fabsf(origin.z) + fabsf(direction.x) +
                fabsf(direction.y) + fabsf(direction.z);
    return sum < 1e12f; // false for not-a-number too
}

bool sherd_tracer_nearest(const sherd_tracer *t, vec3f origin, vec3f direction,
                          tracer_coherence coherence, tracer_hit *hit)
{
    if (!ray_is_finite(origin, direction)) return false;
    float ground = ground_distance(t, origin, direction);
    struct RTCRayHit rh = {.ray = make_ray(origin, direction),
                           .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    ray_stretch stretch;
    bool anything = find_stretch(t, origin, direction, &stretch) && stretch.near < ground;
    rh.ray.tnear = stretch.near;
    rh.ray.tfar = float_min(ground, stretch.far);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    if (coherence == TRACER_COHERENT) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    struct RTCRayHit cut;
    if (anything && stretch.from_cut && find_cut(t, &stretch, origin, direction, &cut)) {
        describe_cut(t, &cut, stretch.near, origin, direction, hit);
        return true;
    }
    if (anything) rtcIntersect1(t->scene, &context, &rh);
    if (rh.hit.geomID != RTC_INVALID_GEOMETRY_ID)
        describe_hit(t, &rh, origin, direction, hit);
    else if (ground < INFINITY)
        describe_ground(t, origin, direction, ground, hit);
    else
        return false;
    return true;
}

vec3f sherd_tracer_visibility(const sherd_tracer *t, vec3f origin, vec3f direction)
{
    const vec3f dark = {0.0f, 0.0f, 0.0f};
    if (!ray_is_finite(origin, direction)) return dark;
    if (ground_distance(t, origin, direction) < INFINITY) return dark;
    shadow_context context = {.tracer = t, .passed = {1.0f, 1.0f, 1.0f}};
    ray_stretch stretch;
    if (!find_stretch(t, origin, direction, &stretch)) return context.passed;
    struct RTCRay ray = make_ray(origin, direction);
    ray.tnear = stretch.near, ray.tfar = stretch.far;
    rtcInitIntersectContext(&context.embree);
    rtcOccluded1(t->scene, &context.embree, &ray);
    return ray.tfar < 0.0f ? dark : context.passed; // Embree marks a hit by -infinity
}

vec3f sherd_tracer_leave(const tracer_hit *hit, vec3f direction)
{
    vec3f p = hit->position;
    float size = float_max(float_max(fabsf(p.x), fabsf(p.y)), float_max(fabsf(p.z), 0.1f));
    float side = vec3f_dot(hit->facet, direction) < 0.0f ? -1.0f : 1.0f;
    return vec3f_add_scaled(p, side * CLEARANCE * size, hit->facet);
}
