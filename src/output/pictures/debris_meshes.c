#include "output/pictures/debris_meshes.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <sherd/mesh.h>

typedef struct batch_maker {
    const sherd_debris *debris;
    const sherd_run_model *model;
    double open;
    sherd_color color;
    sherd_debris_batch *to;
} batch_maker;

static bool is_grain(const sherd_debris *debris, int body, const debris_crumb *c)
{
    return c->radius < sherd_debris_smallest(debris, body);
}

typedef struct batch_size {
    size_t vertices, triangles, grains;
} batch_size;

static batch_size size_of(const sherd_debris *debris, int body)
{
    batch_size n = {0};
    int64_t count;
    const debris_element *elements = sherd_debris_elements(debris, &count);
    for (int64_t k = 0; k < count; ++k) {
        if (elements[k].body != body) continue;
        const debris_crumb *crumbs = sherd_debris_crumbs(debris, &elements[k]);
        for (int c = 0; c < elements[k].count; ++c) {
            const debris_shape *shape = sherd_debris_shape(debris, body, crumbs[c].shape);
            bool grain = is_grain(debris, body, &crumbs[c]);
            n.grains += grain;
            n.vertices += grain ? 0 : (size_t)shape->vertex_count;
            n.triangles += grain ? 0 : (size_t)shape->triangle_count;
        }
    }
    return n;
}

static bool allocate(sherd_debris_batch *b, batch_size n, bool moves, bool colored)
{
    b->vertices = sherd_alloc(3 * n.vertices, sizeof *b->vertices);
    b->rest = sherd_alloc(3 * n.vertices, sizeof *b->rest);
    b->triangles = sherd_alloc(3 * n.triangles, sizeof *b->triangles);
    b->face_kind = sherd_alloc(n.triangles, 1);
    b->places = sherd_alloc(4 * n.grains, sizeof *b->places); // x, y, z, radius
    if (moves) b->motions = sherd_alloc(3 * (n.vertices + n.grains), sizeof *b->motions);
    if (colored) b->colors = sherd_alloc(3 * n.vertices, sizeof *b->colors);
    if (colored) b->grain_colors = sherd_alloc(3 * n.grains, sizeof *b->grain_colors);
    return b->vertices != NULL && b->rest != NULL && b->triangles != NULL && b->face_kind != NULL &&
           b->places != NULL && (!moves || b->motions != NULL) &&
           (!colored || (b->colors != NULL && b->grain_colors != NULL));
}

static void put(double *to, sherd_vec3 x)
{
    to[0] = x.x, to[1] = x.y, to[2] = x.z;
}

static void put_color(float *to, sherd_color c)
{
    to[0] = c.r, to[1] = c.g, to[2] = c.b;
}

static void add_mesh(const batch_maker *m, sherd_element_index e, const debris_shape *shape,
                     const debris_crumb *crumb, const debris_pose *pose)
{
    sherd_debris_batch *b = m->to;
    sherd_vec3 centre = vec3_add(
        vec3(m->model->rest_x[e], m->model->rest_y[e], m->model->rest_z[e]), crumb->offset);
    int32_t first = b->mesh.vertex_count;
    for (int v = 0; v < shape->vertex_count; ++v) {
        size_t at = 3 * (size_t)b->mesh.vertex_count++;
        sherd_vec3 own = vec3_scale(crumb->radius, shape->vertex[v]);
        put(b->vertices + at, pose_apply(pose->pose, own));
        put(b->rest + at, vec3_add(centre, quat_rotate(crumb->rotation, own)));
        if (b->colors != NULL) put_color(b->colors + at, m->color);
        if (b->motions != NULL) put(b->motions + at, vec3_scale(m->open, pose->velocity));
    }
    for (int t = 0; t < shape->triangle_count; ++t) {
        size_t at = (size_t)b->mesh.triangle_count++;
        for (int c = 0; c < 3; ++c)
            b->triangles[3 * at + (size_t)c] = first + shape->triangle[t][c];
        bool outer = crumb->outer && shape->outer[t];
        b->face_kind[at] = outer ? SHERD_FACE_OUTER : SHERD_FACE_INNER;
    }
}

static void add_grain(const batch_maker *m, size_t grains, double *motions,
                      const debris_crumb *crumb, const debris_pose *pose)
{
    sherd_debris_batch *b = m->to;
    size_t at = (size_t)b->grains.count++;
    SHERD_ASSERT(at < grains, "grains fit their list");
    b->places[at] = pose->pose.position.x;
    b->places[grains + at] = pose->pose.position.y;
    b->places[2 * grains + at] = pose->pose.position.z;
    b->places[3 * grains + at] = crumb->radius;
    if (b->grain_colors != NULL) put_color(b->grain_colors + 3 * at, m->color);
    if (motions != NULL) put(motions + 3 * at, vec3_scale(m->open, pose->velocity));
}

static void refer(sherd_debris_batch *b, batch_size n, double *grain_motions)
{
    b->mesh.vertices = b->vertices;
    b->mesh.rest = b->rest;
    b->mesh.motions = b->motions;
    b->mesh.triangles = b->triangles;
    b->mesh.face_kind = b->face_kind;
    b->mesh.colors = b->colors;
    b->grains.x = b->places;
    b->grains.y = b->places + n.grains;
    b->grains.z = b->places + 2 * n.grains;
    b->grains.radius = b->places + 3 * n.grains;
    b->grains.motions = grain_motions;
    b->grains.colors = b->grain_colors;
}

sherd_status sherd_debris_batch_make(sherd_debris_batch *batch, const sherd_debris *debris,
                                     const sherd_run_model *model, const sherd_run_frame *frame,
                                     int body, double open, sherd_debris_color *color,
                                     const void *context, sherd_error *error)
{
    *batch = (sherd_debris_batch){0};
    batch_size n = size_of(debris, body);
    if (n.vertices + n.grains == 0) return SHERD_OK;
    if (!allocate(batch, n, open > 0.0, color != NULL)) return sherd_fail_memory(error, "debris");
    double *grain_motions = batch->motions != NULL ? batch->motions + 3 * n.vertices : NULL;
    batch_maker maker = {.debris = debris, .model = model, .open = open, .to = batch};
    int64_t count;
    const debris_element *elements = sherd_debris_elements(debris, &count);
    for (int64_t k = 0; k < count; ++k) {
        const debris_element *p = &elements[k];
        if (p->body != body) continue;
        debris_pose poses[DEBRIS_MOST_CRUMBS];
        sherd_debris_poses(debris, p, frame, poses);
        if (color != NULL) maker.color = color(context, p->element);
        const debris_crumb *crumbs = sherd_debris_crumbs(debris, p);
        for (int c = 0; c < p->count; ++c)
            if (is_grain(debris, body, &crumbs[c]))
                add_grain(&maker, n.grains, grain_motions, &crumbs[c], &poses[c]);
            else
                add_mesh(&maker, p->element, sherd_debris_shape(debris, body, crumbs[c].shape),
                         &crumbs[c], &poses[c]);
    }
    refer(batch, n, grain_motions);
    return SHERD_OK;
}

void sherd_debris_batch_free(sherd_debris_batch *batch)
{
    sherd_free(batch->vertices);
    sherd_free(batch->rest);
    sherd_free(batch->motions);
    sherd_free(batch->places);
    sherd_free(batch->colors);
    sherd_free(batch->grain_colors);
    sherd_free(batch->triangles);
    sherd_free(batch->face_kind);
    *batch = (sherd_debris_batch){0};
}
