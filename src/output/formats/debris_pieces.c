#include "output/formats/debris_pieces.h"

#include "base/error.h"
#include "base/memory.h"
#include "output/formats/animation_objects.h"

#include <math.h>
#include <stdio.h>

static const double TOLERANCE = 0.05; // of positions between keys, in radii of the crumb

// ---------------------------------------------------------------- which there are

static bool is_piece(const sherd_debris_pieces *p, const debris_element *e, int k)
{
    const debris_crumb *crumbs = sherd_debris_crumbs(p->last, e);
    return k < p->most && crumbs[k].radius >= sherd_debris_smallest(p->last, e->body);
}

static int64_t count_pieces(const sherd_debris_pieces *p)
{
    int64_t count, total = 0;
    const debris_element *elements = sherd_debris_elements(p->last, &count);
    for (int64_t i = 0; i < count; ++i)
        for (int k = 0; k < elements[i].count; ++k)
            total += is_piece(p, &elements[i], k);
    return total;
}

sherd_status sherd_debris_pieces_open(sherd_debris_pieces *p, const sherd_format_job *job,
                                      const sherd_run_model *model, sherd_error *error)
{
    *p = (sherd_debris_pieces){.last = sherd_debris_create(job->scene, model, error),
                               .most = DEBRIS_MOST_CRUMBS};
    if (p->last == NULL) return error->status;
    sherd_status status = sherd_debris_catch_up(p->last, job->run, job->last + 1, error);
    if (status != SHERD_OK) return status;
    p->now = sherd_debris_create(job->scene, model, error);
    if (p->now == NULL) return error->status;
    int64_t all = count_pieces(p), kept = all;
    while (kept > DEBRIS_MOST_PIECES && p->most > 0) {
        --p->most;
        kept = count_pieces(p);
    }
    p->left_out = all - kept;
    return SHERD_OK;
}

void sherd_debris_pieces_free(sherd_debris_pieces *p)
{
    sherd_debris_destroy(p->last);
    sherd_debris_destroy(p->now);
    sherd_free(p->meshes);
    sherd_free(p->piece);
    *p = (sherd_debris_pieces){0};
}

bool sherd_debris_pieces_from_start(const sherd_debris_pieces *p, const sherd_format_job *job,
                                    sherd_element_index element)
{
    const debris_element *e = p->most > 0 ? sherd_debris_find(p->last, element) : NULL;
    return e != NULL && e->frame <= job->first;
}

// ---------------------------------------------------------------- pieces

static int add_mesh(sherd_animation_objects *c, const debris_shape *shape, int body, bool outer,
                    sherd_error *error)
{
    char name[256];
    snprintf(name, sizeof name, "%.200s crumb", c->model.bodies[body].name);
    double vertices[3 * DEBRIS_SHAPE_VERTICES];
    int32_t triangles[3 * DEBRIS_SHAPE_TRIANGLES];
    uint8_t kind[DEBRIS_SHAPE_TRIANGLES];
    for (int v = 0; v < shape->vertex_count; ++v) {
        vertices[3 * v] = shape->vertex[v].x;
        vertices[3 * v + 1] = shape->vertex[v].y;
        vertices[3 * v + 2] = shape->vertex[v].z;
    }
    for (int t = 0; t < shape->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k)
            triangles[3 * t + k] = shape->triangle[t][k];
        kind[t] = outer && shape->outer[t] ? SHERD_FACE_OUTER : SHERD_FACE_INNER;
    }
    const sherd_animation_mesh mesh = {.name = name,
                                       .vertex_count = shape->vertex_count,
                                       .vertices = vertices,
                                       .triangle_count = shape->triangle_count,
                                       .triangles = triangles,
                                       .face_kind = kind,
                                       .outer_material = c->outer[body],
                                       .inner_material = c->inner[body]};
    return sherd_animation_add_mesh(c->animation, &mesh, error);
}

static sherd_status add_piece(sherd_debris_pieces *p, sherd_animation_objects *c,
                              const debris_element *e, int k, sherd_error *error)
{
    const debris_crumb *crumb = &sherd_debris_crumbs(p->last, e)[k];
    int *mesh = &p->meshes[2 * (e->body * DEBRIS_SHAPES + crumb->shape) + (crumb->outer ? 1 : 0)];
    if (*mesh < 0)
        *mesh = add_mesh(c, sherd_debris_shape(p->last, e->body, crumb->shape), e->body,
                         crumb->outer, error);
    if (*mesh < 0) return error->status;
    char name[256];
    snprintf(name, sizeof name, "%.200s %d crumb %d", c->model.bodies[e->body].name,
             (int)(e->element - c->model.bodies[e->body].first), k);
    double share = pow(crumb->radius / e->radius, 3.0);
    const sherd_animation_piece piece = {
        .name = name,
        .mesh = *mesh,
        .scale = crumb->radius,
        .fragment = sherd_fragments_view(c->last.fragments).element_fragment[e->element],
        .mass = share * c->model.mass[e->element],
        .tolerance = TOLERANCE * crumb->radius,
        .radius = crumb->radius};
    int index = sherd_animation_add_piece(c->animation, &piece, error);
    p->piece[e->first + k] = index;
    ++p->count;
    return index >= 0 ? SHERD_OK : error->status;
}

sherd_status sherd_debris_pieces_add(sherd_debris_pieces *p, sherd_animation_objects *c,
                                     sherd_error *error)
{
    int64_t count;
    const debris_element *elements = sherd_debris_elements(p->last, &count);
    if (count == 0 || p->most == 0) return SHERD_OK;
    size_t shapes = 2 * (size_t)c->model.body_count * DEBRIS_SHAPES;
    size_t crumbs = (size_t)(elements[count - 1].first + elements[count - 1].count);
    p->meshes = sherd_alloc(shapes, sizeof *p->meshes);
    p->piece = sherd_alloc(crumbs, sizeof *p->piece);
    if (p->meshes == NULL || p->piece == NULL) return sherd_fail_memory(error, "debris");
    for (size_t k = 0; k < shapes; ++k)
        p->meshes[k] = -1;
    for (size_t k = 0; k < crumbs; ++k)
        p->piece[k] = -1;
    sherd_status status = SHERD_OK;
    for (int64_t i = 0; i < count; ++i)
        for (int k = 0; k < elements[i].count && status == SHERD_OK; ++k)
            if (is_piece(p, &elements[i], k)) status = add_piece(p, c, &elements[i], k, error);
    return status;
}

// ---------------------------------------------------------------- frames

// If the frame is damaged, `frame` is a substitute that was already processed.
sherd_status sherd_debris_pieces_take(sherd_debris_pieces *p, const sherd_format_job *job,
                                      const sherd_run_frame *frame, sherd_error *error)
{
    return p->most > 0 ? sherd_debris_catch_up(p->now, job->run, frame->index + 1, error)
                       : SHERD_OK;
}

sherd_status sherd_debris_pieces_pose(sherd_debris_pieces *p, sherd_animation_objects *c,
                                      const sherd_run_frame *frame, sherd_error *error)
{
    int64_t count, at = frame->index - c->job->first;
    const debris_element *elements = sherd_debris_elements(p->now, &count);
    sherd_status status = SHERD_OK;
    for (int64_t i = 0; i < count && p->piece != NULL; ++i) {
        debris_pose poses[DEBRIS_MOST_CRUMBS];
        sherd_debris_poses(p->now, &elements[i], frame, poses);
        for (int k = 0; k < elements[i].count && status == SHERD_OK; ++k) {
            int piece = p->piece[elements[i].first + k];
            if (piece >= 0)
                status = sherd_animation_set_pose(c->animation, piece, at, poses[k].pose, error);
        }
    }
    return status;
}
