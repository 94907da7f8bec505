#include "render/tracer.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/thread_pool.h"
#include "math/vec3.h"
#include "render/corner_normals.h"
#include "render/texture/lookup.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

// A glazed or clear surface of refractive index 1.5 reflects ((1.5 - 1) / (1.5 + 1))^2.
static const float GLAZE_F0 = 0.04f;

// Offset of a ray's origin from the surface that it leaves, relative to the coordinates of the hit:
// some hundred times the rounding error of single precision.
static const float CLEARANCE = 2e-5f;

// Coordinates of distant debris are clamped to this [view units], so that every number stays
// finite.
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

static sherd_vec3 world_of(const sherd_tracer *t, vec3f p)
{
    return vec3_add_scaled(t->origin, 1.0 / t->scale, vec3((double)p.x, (double)p.y, (double)p.z));
}

static vec3f vec3f_of_color(sherd_color c)
{
    return vec3f_make(c.r, c.g, c.b);
}

static tracer_face face_of(sherd_color color, double roughness, double coat, double metal,
                           const sherd_texture *texture)
{
    return (tracer_face){vec3f_of_color(color), (float)roughness, GLAZE_F0 * (float)coat,
                         (float)metal, sherd_texture_open(texture)};
}

static tracer_material material_of(const sherd_render_material *m, double scale)
{
    return (tracer_material){
        .faces = {face_of(m->outer_color, m->outer_roughness, m->outer_coat, m->outer_metal,
                          &m->outer_texture),
                  face_of(m->inner_color, m->inner_roughness, m->inner_coat, m->inner_metal,
                          &m->inner_texture)},
        .kind = m->surface == SHERD_RENDER_GLASS ? TRACER_PANE : TRACER_OPAQUE,
        .refraction = (float)m->refractive_index,
        .absorption = vec3f_scale((float)(1.0 / scale), vec3f_of_color(m->absorption)),
    };
}

// --- Building -----------------------------------------------------------------------------------

typedef struct crossing_context {
    struct RTCIntersectContext embree; // must be first: Embree hands its address to the filter
    tracer_crossings *crossings;
} crossing_context;

static coat_surface surface_at(const tracer_geometry *g, unsigned primitive, float u, float v,
                               bool inner);

static bool face_is_inner(const tracer_geometry *g, unsigned primitive)
{
    return g->face_kind != NULL && g->face_kind[primitive] != 0;
}

static bool facet_is_passed_outwards(const tracer_geometry *g, vec3f facet, vec3f direction)
{
    return g->outwards * vec3f_dot(facet, direction) > 0.0f;
}

// Inserts a crossing in order of distance, so that the media along the ray can be followed.
static void add_crossing(tracer_crossings *crossings, tracer_crossing added)
{
    if (crossings->count == TRACER_MOST_CROSSINGS) return;
    int k = crossings->count++;
    for (; k > 0 && crossings->list[k - 1].distance > added.distance; --k)
        crossings->list[k] = crossings->list[k - 1];
    crossings->list[k] = added;
}

// Embree's filter function: shadow rays pass through glass, and each crossing is recorded.
static void note_crossing(const struct RTCFilterFunctionNArguments *arguments)
{
    crossing_context *context = (crossing_context *)arguments->context;
    const tracer_geometry *g = arguments->geometryUserPtr;
    // Rays are traced one by one, so that Embree's packets hold one ray and one hit.
    const struct RTCHit *hit = (const struct RTCHit *)arguments->hit;
    const struct RTCRay *ray = (const struct RTCRay *)arguments->ray;
    vec3f direction = vec3f_make(ray->dir_x, ray->dir_y, ray->dir_z);
    vec3f facet = vec3f_unit_or(vec3f_make(hit->Ng_x, hit->Ng_y, hit->Ng_z), direction);
    tracer_crossing added = {
        .distance = ray->tfar,
        .geometry = (int)hit->geomID,
        .part = g->is_mesh ? 0 : (int)hit->primID,
        .cosine = fabsf(vec3f_dot(facet, direction)),
        .outwards = facet_is_passed_outwards(g, facet, direction),
    };
    if (g->material.kind == TRACER_GLASS)
        add_crossing(context->crossings, added);
    else
        context->crossings->tint =
            vec3f_scale(1.0f - coat_fresnel(GLAZE_F0, added.cosine), context->crossings->tint);
    if (g->material.kind == TRACER_PANE || g->colors != NULL) {
        coat_surface surface = surface_at(g, hit->primID, hit->u, hit->v, false);
        context->crossings->tint = vec3f_mul(context->crossings->tint, surface.albedo);
    }
    arguments->valid[0] = 0;
}

static void attach(sherd_tracer *t, RTCGeometry geometry, const tracer_geometry *added)
{
    tracer_geometry *stored = &t->geometries[t->geometry_count];
    *stored = *added;
    rtcSetGeometryUserData(geometry, stored);
    tracer_kind kind = added->material.kind;
    if (kind == TRACER_GLASS || kind == TRACER_PANE)
        rtcSetGeometryOccludedFilterFunction(geometry, note_crossing);
    t->touching = t->touching || (kind == TRACER_GLASS && t->has_glass) ||
                  (kind == TRACER_GLASS && !added->is_mesh);
    t->has_glass = t->has_glass || kind == TRACER_GLASS;
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(t->scene, geometry, (unsigned)t->geometry_count++);
    rtcReleaseGeometry(geometry);
}

// Meshes with more triangles than this are prepared one after another, each by all threads. Smaller
// ones are distributed among the threads.
enum { LARGE_MESH = 20000, CHUNK = 4096 };

// A mesh while it is being added to the tracer.
typedef struct new_mesh {
    const sherd_render_mesh *mesh;
    RTCGeometry geometry;
    // Embree's, when the shutter opens and when it closes; `closing` is NULL for bodies at rest.
    float *vertices, *closing;
    float *normals;    // per corner, owned
    unsigned *indices; // Embree's
} new_mesh;

typedef struct mesh_job {
    const sherd_tracer *t;
    new_mesh *meshes;
} mesh_job;

// Quality of the BVH. A BVH built in Morton order takes a third of the time to build and makes each
// ray slower by a tenth to a fifth. For a broken plate of 703K triangles it saves 0.24 us of
// building per triangle and costs 37 ns per sample of an opaque picture, or 0.7 us per sample with
// glass, whose rays cross many faces. Moving meshes gain less from the better BVH, so that the
// threshold below is higher than these figures give.
static enum RTCBuildQuality choose_quality(const sherd_render_scene *scene)
{
    const double many_samples = 12.0; // samples per primitive above which the better BVH pays
    // cost of the poorer BVH per sample with glass, in samples of opaque pictures
    const double glass_sample = 18.0;
    double primitives = 0.0, weight = 1.0;
    for (int32_t k = 0; k < scene->mesh_count; ++k) {
        primitives += scene->meshes[k].triangle_count;
        if (scene->meshes[k].material.surface == SHERD_RENDER_GLASS) weight = glass_sample;
    }
    for (int32_t k = 0; k < scene->sphere_batch_count; ++k)
        primitives += scene->spheres[k].count;
    // Rays of a preview are few, but most are the camera's, which gain more.
    const int of_previews = 8;
    int each = scene->quality == SHERD_RENDER_PREVIEW ? of_previews : scene->samples_per_pixel;
    double samples = weight * scene->width * scene->height * each;
    return samples > many_samples * primitives ? RTC_BUILD_QUALITY_MEDIUM : RTC_BUILD_QUALITY_LOW;
}

static bool open_mesh(sherd_tracer *t, const sherd_render_mesh *mesh, enum RTCBuildQuality quality,
                      new_mesh *out)
{
    size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
    *out = (new_mesh){.mesh = mesh};
    if (m == 0) return true;
    out->geometry = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(out->geometry, quality);
    if (mesh->motions != NULL) rtcSetGeometryTimeStepCount(out->geometry, 2);
    out->vertices = rtcSetNewGeometryBuffer(out->geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                            RTC_FORMAT_FLOAT3, 3 * sizeof(float), n);
    if (mesh->motions != NULL)
        out->closing = rtcSetNewGeometryBuffer(out->geometry, RTC_BUFFER_TYPE_VERTEX, 1,
                                               RTC_FORMAT_FLOAT3, 3 * sizeof(float), n);
    out->indices = rtcSetNewGeometryBuffer(out->geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                           RTC_FORMAT_UINT3, 3 * sizeof(unsigned), m);
    return out->vertices != NULL && out->indices != NULL &&
           (out->closing != NULL || mesh->motions == NULL);
}

// Converts a point to view units. It is displaced by `share` times its `motion` during the
// exposure; NULL for points at rest.
static void place_moving(const sherd_tracer *t, const double *point, const double *motion,
                         double share, float *out)
{
    sherd_vec3 p = vec3(point[0], point[1], point[2]);
    if (motion != NULL) p = vec3_add_scaled(p, share, vec3(motion[0], motion[1], motion[2]));
    vec3f q = sherd_tracer_point(t, p);
    out[0] = q.x, out[1] = q.y, out[2] = q.z;
}

static void fill_vertices(void *context, size_t begin, size_t end)
{
    const mesh_job *job = context;
    const new_mesh *m = job->meshes;
    const sherd_render_mesh *mesh = m->mesh;
    for (size_t v = begin; v < end; ++v) {
        const double *p = mesh->vertices + 3 * v;
        const double *u = m->closing != NULL ? mesh->motions + 3 * v : NULL;
        place_moving(job->t, p, u, -0.5, m->vertices + 3 * v);
        if (u != NULL) place_moving(job->t, p, u, 0.5, m->closing + 3 * v);
    }
}

static void fill_triangles(void *context, size_t begin, size_t end)
{
    const new_mesh *m = ((const mesh_job *)context)->meshes;
    for (size_t k = 3 * begin; k < 3 * end; ++k)
        m->indices[k] = (unsigned)m->mesh->triangles[k];
}

static void fill_mesh(const sherd_tracer *t, new_mesh *m, const sherd_parallel *parallel)
{
    mesh_job job = {t, m};
    m->normals = sherd_corner_normals(m->mesh, parallel);
    sherd_parallel_for(parallel, (size_t)m->mesh->vertex_count, CHUNK, fill_vertices, &job);
    sherd_parallel_for(parallel, (size_t)m->mesh->triangle_count, CHUNK, fill_triangles, &job);
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

// Makes a closed mesh solid glass. In a closed surface the vectors of the facets' areas sum to 0.
// The sign of the enclosed volume tells whether the facets' normals point outwards.
static void find_volume(const sherd_render_mesh *mesh, tracer_geometry *g)
{
    // tolerance relative to the area: vertices are rounded, slivers may be missing
    const double open_share = 1e-4;
    sherd_vec3 sum = {0.0, 0.0, 0.0}, from = {0.0, 0.0, 0.0};
    double area = 0.0, volume = 0.0;
    for (size_t t = 0; t < (size_t)mesh->triangle_count; ++t) {
        sherd_vec3 p[3];
        for (size_t c = 0; c < 3; ++c) {
            const double *v = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + c];
            p[c] = vec3(v[0], v[1], v[2]);
        }
        if (t == 0) from = p[0];
        sherd_vec3 n = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
        sum = vec3_add(sum, n);
        area += vec3_length(n);
        volume += vec3_dot(n, vec3_sub(p[0], from));
    }
    if (!(vec3_length(sum) <= open_share * area)) return;
    g->material.kind = TRACER_GLASS;
    g->outwards = volume < 0.0 ? -1.0f : 1.0f;
}

// False when memory is short.
static bool make_groups(const sherd_render_mesh *mesh, tracer_geometry *g)
{
    if (mesh->group == NULL) return true;
    g->groups = sherd_alloc((size_t)mesh->group_count, sizeof *g->groups);
    if (g->groups == NULL) return false;
    for (int32_t k = 0; k < mesh->group_count; ++k) {
        const sherd_render_group *from = &mesh->groups[k];
        g->groups[k] = face_of(from->color, from->roughness, mesh->material.outer_coat, from->metal,
                               &from->texture);
    }
    g->group = mesh->group;
    return true;
}

static bool attach_mesh(sherd_tracer *t, new_mesh *m)
{
    if (m->normals == NULL) return false;
    tracer_geometry added = {.material = material_of(&m->mesh->material, t->scale),
                             .is_mesh = true,
                             .outwards = 1.0f,
                             .colors = m->mesh->colors,
                             .outer_colors = m->mesh->outer_colors,
                             .face_kind = m->mesh->face_kind,
                             .triangles = m->mesh->triangles,
                             .vertices = m->mesh->vertices,
                             .rest = m->mesh->rest != NULL ? m->mesh->rest : m->mesh->vertices,
                             .uv = m->mesh->uv,
                             .corner_normals = m->normals};
    if (!make_groups(m->mesh, &added)) return false;
    if (added.material.kind == TRACER_PANE) find_volume(m->mesh, &added);
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
                       enum RTCBuildQuality quality, const sherd_parallel *parallel)
{
    new_mesh *meshes = sherd_alloc((size_t)scene->mesh_count, sizeof *meshes);
    bool ok = meshes != NULL;
    for (int32_t k = 0; ok && k < scene->mesh_count; ++k)
        ok = open_mesh(t, &scene->meshes[k], quality, &meshes[k]);
    ok = ok && fill_meshes(t, meshes, scene->mesh_count, parallel);
    for (int32_t k = 0; meshes != NULL && k < scene->mesh_count; ++k) {
        if (meshes[k].geometry == NULL) continue; // attached, or none
        rtcReleaseGeometry(meshes[k].geometry);
        sherd_free(meshes[k].normals);
    }
    sherd_free(meshes);
    return ok;
}

static void fill_spheres(const sherd_tracer *t, const sherd_render_spheres *s, double share,
                         float *out)
{
    for (size_t i = 0; i < (size_t)s->count; ++i) {
        const double centre[3] = {s->x[i], s->y[i], s->z[i]};
        place_moving(t, centre, s->motions != NULL ? s->motions + 3 * i : NULL, share, out + 4 * i);
        out[4 * i + 3] = view_coordinate(s->radius[i], 0.0, t->scale);
    }
}

static bool add_spheres(sherd_tracer *t, const sherd_render_spheres *s)
{
    if (s->count == 0) return true;
    RTCGeometry geometry = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    int steps = s->motions != NULL ? 2 : 1;
    rtcSetGeometryTimeStepCount(geometry, (unsigned)steps);
    float *spheres[2] = {NULL, NULL};
    for (int step = 0; step < steps; ++step) {
        spheres[step] =
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, (unsigned)step,
                                    RTC_FORMAT_FLOAT4, 4 * sizeof(float), (size_t)s->count);
        if (spheres[step] == NULL) {
            rtcReleaseGeometry(geometry);
            return false;
        }
        fill_spheres(t, s, (double)step - 0.5, spheres[step]);
    }
    tracer_geometry added = {.material = material_of(&s->material, t->scale),
                             .outwards = 1.0f,
                             .colors = s->colors,
                             .spheres = {spheres[0], spheres[1]}};
    if (added.material.kind == TRACER_PANE) added.material.kind = TRACER_GLASS;
    attach(t, geometry, &added);
    return true;
}

// Adds a lamp as two triangles whose normals point to its emitting side.
static bool add_lamp(sherd_tracer *t, int index)
{
    static const unsigned CORNERS[6] = {0, 1, 2, 0, 2, 3};
    static const float SIDES[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const sherd_lamp *lamp = &t->lamps[index];
    RTCGeometry geometry = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                              RTC_FORMAT_FLOAT3, 3 * sizeof(float), 4);
    unsigned *corners = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                RTC_FORMAT_UINT3, 3 * sizeof(unsigned), 2);
    if (vertices == NULL || corners == NULL) {
        rtcReleaseGeometry(geometry);
        return false;
    }
    for (int k = 0; k < 4; ++k) {
        vec3f p = vec3f_add_scaled(lamp->middle, SIDES[k][0], lamp->across);
        p = vec3f_add_scaled(p, SIDES[k][1], lamp->along);
        vertices[3 * k] = p.x, vertices[3 * k + 1] = p.y, vertices[3 * k + 2] = p.z;
    }
    memcpy(corners, CORNERS, sizeof CORNERS);
    tracer_geometry added = {.material = {.kind = TRACER_LAMP}, .is_lamp = true, .lamp = index};
    attach(t, geometry, &added);
    return true;
}

static bool add_lamps(sherd_tracer *t, const sherd_render_scene *scene)
{
    t->lamp_count = scene->lamp_count;
    sherd_lamps_place(scene->lamps, scene->lamp_count, t->origin, t->scale, t->lamps);
    bool ok = true;
    for (int k = 0; ok && k < scene->lamp_count; ++k)
        ok = add_lamp(t, k);
    return ok;
}

static void place_ground(sherd_tracer *t, const sherd_render_ground *ground)
{
    t->has_ground = ground->kind == SHERD_RENDER_GROUND_PLANE;
    sherd_vec3 n = vec3_normalize(ground->normal);
    t->ground_normal = vec3f_make((float)n.x, (float)n.y, (float)n.z);
    t->ground_point = sherd_tracer_point(t, ground->point);
    t->ground =
        face_of(ground->color, ground->roughness, ground->coat, ground->metal, &ground->texture);
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

// The bounding box, slightly enlarged because distances along rays are rounded.
static void find_bounds(sherd_tracer *t)
{
    const float share = 1e-4f;
    struct RTCBounds b;
    rtcGetSceneBounds(t->scene, &b);
    vec3f low = vec3f_make(b.lower_x, b.lower_y, b.lower_z),
          high = vec3f_make(b.upper_x, b.upper_y, b.upper_z);
    float margin = share * (1.0f + vec3f_length(low) + vec3f_length(high));
    vec3f wider = vec3f_make(margin, margin, margin);
    t->low = vec3f_sub(low, wider);
    t->high = vec3f_add(high, wider);
}

static sherd_status fill(sherd_tracer *t, const sherd_render_scene *scene, sherd_error *error)
{
    sherd_parallel parallel = {scene->threads};
    enum RTCBuildQuality quality = choose_quality(scene);
    bool added = add_meshes(t, scene, quality, &parallel);
    for (int b = 0; added && b < scene->sphere_batch_count; ++b)
        added = add_spheres(t, &scene->spheres[b]);
    added = added && add_lamps(t, scene);
    if (!added) return sherd_fail_memory(error, "picture geometry");
    // Rays inside glass must not escape between two adjacent triangles.
    if (t->has_glass) rtcSetSceneFlags(t->scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(t->scene, quality);
    rtcCommitScene(t->scene);
    if (rtcGetDeviceError(t->device) != RTC_ERROR_NONE)
        return sherd_fail_memory(error, "picture geometry");
    find_bounds(t);
    return SHERD_OK;
}

// The number of threads that Embree may use; 0 with an error. Its task scheduler starts threads of
// its own, at least one even if it is to use only the caller's, and terminates the process if it
// can't.
static int find_threads(const sherd_render_scene *scene, sherd_error *error)
{
    enum { TRIES = 20 };
    sherd_parallel parallel = {scene->threads};
    int room = 0;
    for (int k = 0; k < TRIES && room == 0; ++k) {
        // Threads of the previous picture may be about to end.
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
    size_t bodies =
        (size_t)scene->mesh_count + (size_t)scene->sphere_batch_count + (size_t)scene->lamp_count;
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
    for (int g = 0; g < t->geometry_count; ++g) {
        sherd_free(t->geometries[g].corner_normals);
        sherd_free(t->geometries[g].groups);
    }
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
    const tracer_face *face = tracer_face_of(g, primitive, inner);
    coat_surface surface = {.albedo = face->color, .roughness = face->roughness, .f0 = face->f0};
    const float *colors = g->colors == NULL && !inner ? g->outer_colors : g->colors;
    if (colors == NULL) return surface;
    if (g->is_mesh) {
        const int32_t *corner = g->triangles + 3 * (size_t)primitive;
        surface.albedo = interpolate(load3(colors + 3 * (size_t)corner[0]),
                                     load3(colors + 3 * (size_t)corner[1]),
                                     load3(colors + 3 * (size_t)corner[2]), u, v);
    } else {
        surface.albedo = load3(colors + 3 * (size_t)primitive);
    }
    return surface;
}

static void face_the_ray(tracer_hit *hit, vec3f direction)
{
    if (vec3f_dot(hit->facet, direction) > 0.0f) hit->facet = vec3f_scale(-1.0f, hit->facet);
    if (vec3f_dot(hit->normal, hit->facet) < 0.0f) hit->normal = vec3f_scale(-1.0f, hit->normal);
    // Near a silhouette an interpolated normal may face away from the viewer: tilt it back.
    float lean = vec3f_dot(hit->normal, direction);
    if (lean > -1e-3f)
        hit->normal =
            vec3f_unit_or(vec3f_add_scaled(hit->normal, -(lean + 2e-3f), direction), hit->facet);
}

static void describe_hit(const sherd_tracer *t, const struct RTCRayHit *rh, vec3f origin,
                         vec3f direction, tracer_coherence coherence, tracer_hit *hit)
{
    const tracer_geometry *g = &t->geometries[rh->hit.geomID];
    unsigned primitive = rh->hit.primID;
    *hit = (tracer_hit){.distance = rh->ray.tfar,
                        .kind = g->material.kind,
                        .geometry = (int)rh->hit.geomID,
                        .part = g->is_mesh ? 0 : (int)primitive};
    hit->position = vec3f_add_scaled(origin, rh->ray.tfar, direction);
    vec3f against = vec3f_scale(-1.0f, direction);
    hit->facet = vec3f_unit_or(vec3f_make(rh->hit.Ng_x, rh->hit.Ng_y, rh->hit.Ng_z), against);
    hit->inner = face_is_inner(g, primitive);
    hit->outwards = facet_is_passed_outwards(g, hit->facet, direction);
    hit->normal = hit->facet;
    if (g->is_mesh) {
        const float *n = g->corner_normals + 9 * (size_t)primitive;
        hit->normal = vec3f_unit_or(
            interpolate(load3(n), load3(n + 3), load3(n + 6), rh->hit.u, rh->hit.v), hit->facet);
    } else if (!g->is_lamp) {
        // Projects the position onto the sphere: the ray's distance is too imprecise for small
        // spheres.
        const float *s = g->spheres[0] + 4 * (size_t)primitive;
        vec3f centre = load3(s);
        if (g->spheres[1] != NULL)
            centre = vec3f_mix(centre, load3(g->spheres[1] + 4 * (size_t)primitive), rh->ray.time);
        hit->position = vec3f_add_scaled(centre, s[3], hit->facet);
    }
    hit->surface = surface_at(g, primitive, rh->hit.u, rh->hit.v, hit->inner);
    const texture_corner at = {primitive, rh->hit.u, rh->hit.v, hit->inner};
    sherd_texture_finish(g, &at, coherence == TRACER_COHERENT, &hit->surface);
    face_the_ray(hit, direction);
}

// The interval of a ray in which it can hit anything but the ground.
typedef struct ray_stretch {
    float near, far;
    bool from_cut; // the interval begins at the clipping plane
} ray_stretch;

// False if the interval is empty.
static bool find_stretch(const sherd_tracer *t, const tracer_ray *ray, ray_stretch *out)
{
    *out = (ray_stretch){ray->near, INFINITY, false};
    if (!t->has_clip) return true;
    float height = vec3f_dot(vec3f_sub(ray->origin, t->clip_point), t->clip_normal);
    float climb = vec3f_dot(ray->direction, t->clip_normal);
    if (height > 0.0f) {
        if (climb >= -1e-6f) return false;
        float cut = -height / climb;
        if (cut > ray->near) *out = (ray_stretch){cut, INFINITY, true};
        return true;
    }
    if (climb > 1e-6f) out->far = -height / climb;
    return true;
}

static void enter_slab(float origin, float direction, float low, float high, ray_stretch *s)
{
    float inverse = 1.0f / direction, a = (low - origin) * inverse, b = (high - origin) * inverse;
    s->near = float_max(s->near, float_min(a, b));
    s->far = float_min(s->far, float_max(a, b));
}

// Whether the interval intersects the bounding box. Most rays from open ground miss it, and this
// test is far cheaper than Embree's. A ray along a face of the box may be reported as a hit, but no
// hit is missed.
static bool meets_bounds(const sherd_tracer *t, const tracer_ray *ray, ray_stretch s)
{
    vec3f o = ray->origin, d = ray->direction;
    enter_slab(o.x, d.x, t->low.x, t->high.x, &s);
    enter_slab(o.y, d.y, t->low.y, t->high.y, &s);
    enter_slab(o.z, d.z, t->low.z, t->high.z, &s);
    return !(s.near > s.far);
}

static struct RTCRay make_ray(const tracer_ray *ray)
{
    return (struct RTCRay){.org_x = ray->origin.x,
                           .org_y = ray->origin.y,
                           .org_z = ray->origin.z,
                           .dir_x = ray->direction.x,
                           .dir_y = ray->direction.y,
                           .dir_z = ray->direction.z,
                           .tnear = ray->near,
                           .tfar = INFINITY,
                           .time = ray->time,
                           .mask = UINT32_MAX};
}

// The geometries that contain the current point of a ray.
enum { MOST_INSIDE = 16, MOST_CROSSINGS = 64 };

typedef struct ray_inside {
    unsigned geometries[MOST_INSIDE];
    int count;
} ray_inside;

// Records the crossing of a surface. True if the ray exits a geometry that it has not entered: it
// started inside it.
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

// Whether the ray crosses the clipping plane inside a closed body. It then exits a body that it has
// not entered; `rh` is this exit. Where bodies overlap, the ray may cross surfaces of other bodies
// first.
static bool find_cut(const sherd_tracer *t, const ray_stretch *stretch, const tracer_ray *ray,
                     struct RTCRayHit *rh)
{
    ray_inside inside = {.count = 0};
    float near = stretch->near;
    for (int k = 0; k < MOST_CROSSINGS; ++k) {
        struct RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        *rh = (struct RTCRayHit){.ray = make_ray(ray), .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
        rh->ray.tnear = near;
        rtcIntersect1(t->scene, &context, rh);
        if (rh->hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
        vec3f facet = vec3f_make(rh->hit.Ng_x, rh->hit.Ng_y, rh->hit.Ng_z);
        if (began_inside(&inside, rh->hit.geomID, vec3f_dot(facet, ray->direction) > 0.0f))
            return true;
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
                        .kind = g->material.kind,
                        .geometry = (int)rh->hit.geomID,
                        .part = g->is_mesh ? 0 : (int)rh->hit.primID,
                        .inner = true};
    const texture_corner at = {rh->hit.primID, rh->hit.u, rh->hit.v, true};
    sherd_texture_finish_inside(g, &at, world_of(t, hit->position), &hit->surface);
}

// Distance to the ground if it is hit from above, else infinity.
static float ground_distance(const sherd_tracer *t, const tracer_ray *ray)
{
    if (!t->has_ground) return INFINITY;
    float descent = vec3f_dot(ray->direction, t->ground_normal);
    float height = vec3f_dot(vec3f_sub(ray->origin, t->ground_point), t->ground_normal);
    float distance = descent < -1e-6f && height > 0.0f ? -height / descent : INFINITY;
    return distance > ray->near ? distance : INFINITY;
}

// How far the ground's texture fades into its mean in previews: from 0 where a pixel is much smaller
// than the texture's size to 1 where its details are lost within pixels.
static float ground_fade(const sherd_tracer *t, vec3f direction, float distance)
{
    if (t->pixel_angle <= 0.0f) return 0.0f;
    float cosine = float_max(-vec3f_dot(direction, t->ground_normal), 1e-3f);
    float pixel =
        t->pixel_angle * distance / cosine * (float)(t->ground.texture.per_size / t->scale);
    float s = float_min(float_max((pixel - 0.15f) / 0.6f, 0.0f), 1.0f);
    return s * s * (3.0f - 2.0f * s);
}

// Applies the ground's texture, faded into its mean, and its metal.
static void finish_ground(const sherd_tracer *t, float fade, tracer_hit *hit)
{
    const texture_map *map = &t->ground.texture;
    const vec3f n = t->ground_normal;
    coat_surface mean = hit->surface;
    bool plain = texture_is_plain(map);
    if (fade > 0.0f && !plain) sherd_texture_apply_mean(map, &mean);
    if (fade >= 1.0f) hit->surface = mean;
    if (fade < 1.0f && !plain) {
        texture_place place = {.rest = world_of(t, hit->position),
                               .normal = vec3((double)n.x, (double)n.y, (double)n.z)};
        sherd_texture_apply(map, &place, &hit->surface);
    }
    if (fade > 0.0f && fade < 1.0f) {
        hit->surface.albedo = vec3f_mix(hit->surface.albedo, mean.albedo, fade);
        hit->surface.roughness += fade * (mean.roughness - hit->surface.roughness);
    }
    if (t->ground.metal > 0.0f) coat_set_metal(&hit->surface, t->ground.metal);
}

static void describe_ground(const sherd_tracer *t, vec3f origin, vec3f direction, float distance,
                            tracer_hit *hit)
{
    *hit = (tracer_hit){.distance = distance,
                        .position = vec3f_add_scaled(origin, distance, direction),
                        .normal = t->ground_normal,
                        .facet = t->ground_normal,
                        .surface = {.albedo = t->ground.color,
                                    .roughness = t->ground.roughness,
                                    .f0 = t->ground.f0},
                        .geometry = -1,
                        .ground = true};
}

static bool ray_is_finite(const tracer_ray *ray)
{
    vec3f o = ray->origin, d = ray->direction;
    float sum =
        fabsf(o.x) + fabsf(o.y) + fabsf(o.z) + fabsf(d.x) + fabsf(d.y) + fabsf(d.z) + ray->near;
    return sum < 1e12f; // false for not-a-number too
}

bool sherd_tracer_nearest(const sherd_tracer *t, const tracer_ray *ray, tracer_coherence coherence,
                          tracer_hit *hit)
{
    if (!ray_is_finite(ray)) return false;
    float ground = ground_distance(t, ray);
    struct RTCRayHit rh = {.ray = make_ray(ray), .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    ray_stretch stretch;
    bool anything = find_stretch(t, ray, &stretch) && stretch.near < ground;
    if (anything) stretch.far = float_min(ground, stretch.far);
    if (anything && meets_bounds(t, ray, stretch)) {
        rh.ray.tnear = stretch.near;
        rh.ray.tfar = stretch.far;
        struct RTCRayHit cut;
        if (stretch.from_cut && find_cut(t, &stretch, ray, &cut)) {
            describe_cut(t, &cut, stretch.near, ray->origin, ray->direction, hit);
            return true;
        }
        struct RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        if (coherence == TRACER_COHERENT) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
        rtcIntersect1(t->scene, &context, &rh);
    }
    if (rh.hit.geomID != RTC_INVALID_GEOMETRY_ID) {
        describe_hit(t, &rh, ray->origin, ray->direction, coherence, hit);
    } else if (ground < INFINITY) {
        describe_ground(t, ray->origin, ray->direction, ground, hit);
        bool detailed = coherence == TRACER_COHERENT;
        finish_ground(t, detailed ? ground_fade(t, ray->direction, ground) : 1.0f, hit);
    } else {
        return false;
    }
    return true;
}

bool sherd_tracer_crossings(const sherd_tracer *t, const tracer_ray *ray, float far,
                            tracer_crossings *crossings)
{
    crossings->count = 0;
    crossings->tint = vec3f_make(1.0f, 1.0f, 1.0f);
    if (!ray_is_finite(ray) || ground_distance(t, ray) < far) return false;
    crossing_context context = {.crossings = crossings};
    ray_stretch stretch;
    if (!find_stretch(t, ray, &stretch)) return true;
    stretch.far = float_min(stretch.far, far);
    if (!meets_bounds(t, ray, stretch)) return true;
    struct RTCRay shadow = make_ray(ray);
    shadow.tnear = stretch.near, shadow.tfar = stretch.far;
    rtcInitIntersectContext(&context.embree);
    rtcOccluded1(t->scene, &context.embree, &shadow);
    return !(shadow.tfar < 0.0f); // Embree marks a hit by -infinity
}

vec3f sherd_tracer_leave(const tracer_hit *hit, vec3f direction)
{
    vec3f p = hit->position;
    float size = float_max(float_max(fabsf(p.x), fabsf(p.y)), float_max(fabsf(p.z), 0.1f));
    float side = vec3f_dot(hit->facet, direction) < 0.0f ? -1.0f : 1.0f;
    return vec3f_add_scaled(p, side * CLEARANCE * size, hit->facet);
}
