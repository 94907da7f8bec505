// Exports a run as moving rigid pieces. In USD pieces that bend have moving vertices, and granules and
// dust are instances.
//
// Fragments only split. So the fragments of the last frame with their final meshes also make up the
// bodies in every earlier frame: before a body breaks, its future pieces touch exactly and move
// together. Each triangle is stored once, nothing pops, and a piece is one object from the first
// frame to the last. Bodies that deform much before they break need meshes per frame instead (ply,
// vtk).
//
// Cracks that end inside a piece stay closed; otherwise a rigid piece would show them from the
// start.
#include "output/formats/rigid_animation.h"

#include "base/error.h"
#include "base/memory.h"
#include "output/dust/dust.h"
#include "output/export/glb.h"
#include "output/files/readable_frame.h"
#include "output/formats/animation_objects.h"
#include "surface/surface_pose.h"

#include <sherd/file.h>

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- poses

static sherd_element_index first_element(const sherd_animation_objects *c,
                                         const sherd_fragment_piece *p)
{
    return sherd_fragments_view(c->last.fragments).fragments[p->motion.slot].first;
}

static sherd_status pose_fragments(sherd_animation_objects *c, const sherd_run_frame *f, int64_t at,
                                   sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < c->fragment_count && status == SHERD_OK; ++k) {
        const sherd_fragment_piece *p = &c->fragment_pieces[k];
        if (sherd_debris_replaces(c->crumbs.now, first_element(c, p))) continue;
        sherd_pose pose = sherd_piece_motion_pose(&p->motion, c->last.fragments, &c->model, f);
        status = sherd_animation_set_pose(c->animation, p->piece, at, pose, error);
    }
    return status;
}

// ---------------------------------------------------------------- what only USD has

// Vertices of pieces that bend: those of one fragment move together, so that cracks stay closed until
// they open.
static sherd_status bend_fragments(sherd_animation_objects *c, const sherd_run_frame *f, int64_t at,
                                   sherd_error *error)
{
    if (c->bends == NULL) return SHERD_OK;
    sherd_status status = sherd_frame_fragments(c->now, &c->model, f, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(c->now);
    status = sherd_surface_follow(c->last.surface, &view, error);
    const sherd_surface_pose pose = {f->x, f->y, f->z, f->qx, f->qy, f->qz, f->qw};
    for (int k = 0; k < c->fragment_count && status == SHERD_OK; ++k) {
        const sherd_fragment_piece *p = &c->fragment_pieces[k];
        if (!p->bends || sherd_debris_replaces(c->crumbs.now, first_element(c, p))) continue;
        const sherd_mesh *mesh = sherd_surface_get_piece(c->last.surface, p->surface).mesh;
        double *vertices = sherd_alloc(3 * (size_t)mesh->vertex_count, sizeof *vertices);
        if (vertices == NULL) return sherd_fail_memory(error, "usd");
        sherd_surface_pose_piece(c->last.surface, p->surface, &pose, vertices, NULL);
        status = sherd_animation_set_vertices(c->animation, p->piece, at, vertices, error);
        sherd_free(vertices);
    }
    return status;
}

static sherd_status set_states(sherd_animation_objects *c, const sherd_run_frame *f, int64_t at,
                               sherd_error *error)
{
    const sherd_fragment_view last = sherd_fragments_view(c->last.fragments);
    sherd_status status = SHERD_OK;
    sherd_piece_states_take(&c->states, &last, &c->model, f);
    for (int k = 0; k < c->fragment_count && status == SHERD_OK; ++k) {
        const sherd_fragment_piece *p = &c->fragment_pieces[k];
        if (sherd_debris_replaces(c->crumbs.now, first_element(c, p))) continue;
        sherd_piece_state state = c->states.items[p->motion.slot];
        status = sherd_animation_set_state(
            c->animation, p->piece, at,
            (sherd_animation_state){state.speed, state.stress, state.age}, error);
    }
    return status;
}

// Columns of the copies of an instancer in a frame.
typedef struct crowd {
    int64_t *id;
    float *positions, *rotations, *scale, *velocity, *age;
    int32_t *fragment;
    int32_t count;
} crowd;

static bool make_crowd(crowd *c, size_t n)
{
    *c = (crowd){.id = sherd_alloc(n, sizeof *c->id),
                 .positions = sherd_alloc(3 * n, sizeof *c->positions),
                 .rotations = sherd_alloc(4 * n, sizeof *c->rotations),
                 .scale = sherd_alloc(n, sizeof *c->scale),
                 .velocity = sherd_alloc(3 * n, sizeof *c->velocity),
                 .age = sherd_alloc(n, sizeof *c->age),
                 .fragment = sherd_alloc(n, sizeof *c->fragment)};
    return c->id != NULL && c->positions != NULL && c->rotations != NULL && c->scale != NULL &&
           c->velocity != NULL && c->age != NULL && c->fragment != NULL;
}

static void free_crowd(crowd *c)
{
    sherd_free(c->id);
    sherd_free(c->positions);
    sherd_free(c->rotations);
    sherd_free(c->scale);
    sherd_free(c->velocity);
    sherd_free(c->age);
    sherd_free(c->fragment);
}

static sherd_status set_granules(sherd_animation_objects *c, int body, const sherd_run_frame *f,
                                 int64_t at, sherd_error *error)
{
    const sherd_body_info *info = &c->model.bodies[body];
    const sherd_fragment_view last = sherd_fragments_view(c->last.fragments);
    bool points = sherd_scene_is_of_points(&c->scene->bodies[body]); // spheres that don't turn
    crowd all;
    bool good = make_crowd(&all, (size_t)info->count);
    for (sherd_element_index k = 0; good && k < info->count; ++k) {
        sherd_element_index e = info->first + k;
        const double place[3] = {f->x[e], f->y[e], f->z[e]},
                     velocity[3] = {f->vx[e], f->vy[e], f->vz[e]},
                     turn[4] = {f->qx[e], f->qy[e], f->qz[e], f->qw[e]};
        for (int i = 0; i < 3; ++i) {
            all.positions[3 * k + i] = (float)place[i];
            all.velocity[3 * k + i] = (float)velocity[i];
        }
        for (int i = 0; i < 4; ++i)
            all.rotations[4 * k + i] = (float)turn[i];
        all.id[k] = k;
        all.scale[k] = (float)c->model.radius[e];
        all.fragment[k] = last.element_fragment[e];
    }
    const sherd_animation_instances instances = {.count = info->count,
                                                 .id = all.id,
                                                 .positions = all.positions,
                                                 .rotations = points ? NULL : all.rotations,
                                                 .scale = all.scale,
                                                 .velocity = all.velocity,
                                                 .fragment = all.fragment};
    sherd_status status =
        good ? sherd_animation_set_instances(c->animation, c->granules[body], at, &instances, error)
             : sherd_fail_memory(error, "usd");
    free_crowd(&all);
    return status;
}

// ---------------------------------------------------------------- all formats

static sherd_status pose_granules(sherd_animation_objects *c, int body, const sherd_run_frame *f,
                                  int64_t at, sherd_error *error)
{
    const sherd_body_info *info = &c->model.bodies[body];
    bool points = sherd_scene_is_of_points(&c->scene->bodies[body]); // spheres that don't turn
    sherd_status status = SHERD_OK;
    for (sherd_element_index k = 0; k < info->count && status == SHERD_OK; ++k) {
        sherd_element_index e = info->first + k;
        sherd_pose pose = {{f->x[e], f->y[e], f->z[e]}, {f->qx[e], f->qy[e], f->qz[e], f->qw[e]}};
        if (points) pose.rotation = (sherd_quat){0.0, 0.0, 0.0, 1.0};
        status = sherd_animation_set_pose(c->animation, c->granules[body] + k, at, pose, error);
    }
    return status;
}

static sherd_status pose_frame(sherd_animation_objects *c, const sherd_run_frame *f,
                               sherd_error *error)
{
    int64_t at = f->index - c->job->first;
    bool usd = sherd_animation_is_usd(c->format);
    sherd_status status = sherd_debris_pieces_take(&c->crumbs, c->job, f, error);
    if (status == SHERD_OK) status = pose_fragments(c, f, at, error);
    if (status == SHERD_OK && usd) status = bend_fragments(c, f, at, error);
    if (status == SHERD_OK && usd) status = set_states(c, f, at, error);
    if (status == SHERD_OK) status = sherd_debris_pieces_pose(&c->crumbs, c, f, error);
    for (int b = 0; b < c->model.body_count && status == SHERD_OK; ++b)
        if (c->granules[b] >= 0)
            status = usd ? set_granules(c, b, f, at, error) : pose_granules(c, b, f, at, error);
    for (int k = 0; k < c->model.obstacle_count && status == SHERD_OK; ++k)
        if (c->obstacles[k] >= 0)
            status =
                sherd_animation_set_pose(c->animation, c->obstacles[k], at, f->obstacles[k], error);
    return status;
}

// ---------------------------------------------------------------- dust

// The grains of one body: a cloud of points that is visible in one frame only.
typedef struct cloud {
    float *positions, *velocity, *radius, *age;
    int32_t *fragment;
    int32_t count;
} cloud;

static bool make_room(cloud *c, size_t n)
{
    *c = (cloud){.positions = sherd_alloc(3 * n, sizeof *c->positions),
                 .velocity = sherd_alloc(3 * n, sizeof *c->velocity),
                 .radius = sherd_alloc(n, sizeof *c->radius),
                 .age = sherd_alloc(n, sizeof *c->age),
                 .fragment = sherd_alloc(n, sizeof *c->fragment)};
    return c->positions != NULL && c->velocity != NULL && c->radius != NULL && c->age != NULL &&
           c->fragment != NULL;
}

static void release(cloud *c)
{
    sherd_free(c->positions);
    sherd_free(c->velocity);
    sherd_free(c->radius);
    sherd_free(c->age);
    sherd_free(c->fragment);
}

static void take_body(cloud *c, const sherd_dust_view *view, int32_t body)
{
    c->count = 0;
    for (int64_t k = 0; k < view->count; ++k) {
        if (view->body[k] != body) continue;
        size_t n = (size_t)c->count++;
        c->positions[3 * n] = (float)view->x[k];
        c->positions[3 * n + 1] = (float)view->y[k];
        c->positions[3 * n + 2] = (float)view->z[k];
        memcpy(c->velocity + 3 * n, view->velocity + 3 * k, 3 * sizeof *c->velocity);
        c->radius[n] = (float)view->radius[k];
        c->age[n] = view->age[k];
        c->fragment[n] = view->fragment[k];
    }
}

static sherd_status add_cloud(sherd_animation_objects *a, const cloud *c, int32_t body,
                              int64_t frame, sherd_error *error)
{
    char name[256];
    snprintf(name, sizeof name, "%.200s dust %lld", a->model.bodies[body].name, (long long)frame);
    const sherd_animation_points points = {.name = name,
                                           .count = c->count,
                                           .positions = c->positions,
                                           .velocity = c->velocity,
                                           .radius = c->radius,
                                           .age = c->age,
                                           .fragment = c->fragment,
                                           .material = a->inner[body]};
    sherd_animation_piece piece = {.name = name,
                                   .mesh = sherd_animation_add_points(a->animation, &points, error),
                                   .scale = 1.0};
    int index = piece.mesh >= 0 ? sherd_animation_add_piece(a->animation, &piece, error) : -1;
    if (index < 0) return error->status;
    const sherd_pose pose = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    return sherd_animation_set_pose(a->animation, index, frame - a->job->first, pose, error);
}

// In USD the grains of a body are instances, of which the number grows.
static sherd_status set_grains(sherd_animation_objects *a, const sherd_dust_view *view, int body,
                               int64_t frame, sherd_error *error)
{
    crowd all;
    if (!make_crowd(&all, (size_t)view->count)) return sherd_fail_memory(error, "dust");
    for (int64_t k = 0; k < view->count; ++k) {
        if (view->body[k] != body) continue;
        size_t n = (size_t)all.count++;
        const double place[3] = {view->x[k], view->y[k], view->z[k]};
        for (size_t i = 0; i < 3; ++i)
            all.positions[3 * n + i] = (float)place[i];
        memcpy(all.velocity + 3 * n, view->velocity + 3 * k, 3 * sizeof *all.velocity);
        all.id[n] = k;
        all.scale[n] = (float)view->radius[k];
        all.age[n] = view->age[k];
        all.fragment[n] = view->fragment[k];
    }
    sherd_status status = SHERD_OK;
    if (a->dust[body] < 0 && all.count > 0) {
        char name[256];
        snprintf(name, sizeof name, "%.200s dust", a->model.bodies[body].name);
        const sherd_animation_instancer grains = {
            .name = name,
            .mesh = sherd_animation_add_unit_sphere(a->animation, a->inner[body], error)};
        if (grains.mesh >= 0)
            a->dust[body] = sherd_animation_add_instancer(a->animation, &grains, error);
        if (a->dust[body] < 0) status = error->status;
    }
    const sherd_animation_instances instances = {.count = all.count,
                                                 .id = all.id,
                                                 .positions = all.positions,
                                                 .scale = all.scale,
                                                 .velocity = all.velocity,
                                                 .age = all.age,
                                                 .fragment = all.fragment};
    if (status == SHERD_OK && a->dust[body] >= 0)
        status = sherd_animation_set_instances(a->animation, a->dust[body], frame - a->job->first,
                                               &instances, error);
    free_crowd(&all);
    return status;
}

// Processes breaks up to the frame and adds the grains that exist then. `dust` may be NULL.
static sherd_status add_dust(sherd_animation_objects *a, sherd_dust *dust,
                             const sherd_run_frame *frame, sherd_error *error)
{
    if (dust == NULL) return SHERD_OK;
    sherd_dust_view view = {0};
    cloud c = {0};
    // Up to and including this frame. If it is damaged, `frame` is a substitute whose breaks were
    // already processed.
    sherd_status status = sherd_dust_catch_up(dust, a->job->run, frame->index + 1, error);
    if (status == SHERD_OK) status = sherd_dust_at(dust, frame->time, &view, error);
    if (status == SHERD_OK && !make_room(&c, (size_t)view.count))
        status = sherd_fail_memory(error, "dust");
    for (int32_t b = 0; b < a->model.body_count && status == SHERD_OK; ++b) {
        if (sherd_animation_is_usd(a->format)) {
            status = set_grains(a, &view, b, frame->index, error);
            continue;
        }
        take_body(&c, &view, b);
        if (c.count > 0) status = add_cloud(a, &c, b, frame->index, error);
    }
    release(&c);
    sherd_dust_view_free(&view);
    return status;
}

// ---------------------------------------------------------------- all frames

static sherd_status pose_frames(sherd_animation_objects *c, sherd_dust *dust, sherd_error *error)
{
    const sherd_format_job *job = c->job;
    sherd_status status = SHERD_OK;
    for (int64_t k = job->first; k <= job->last && status == SHERD_OK; ++k) {
        sherd_run_frame *frame = sherd_readable_frame(job->run, k, job->first, job->last, error);
        if (frame == NULL) return error->status;
        status = pose_frame(c, frame, error);
        if (status == SHERD_OK) status = add_dust(c, dust, frame, error);
        sherd_run_frame_destroy(frame);
        if (status == SHERD_OK && job->on_frame != NULL)
            job->on_frame(job->context, "frame", k, job->last);
    }
    return status;
}

sherd_status sherd_rigid_animation_write(sherd_format_job *job, sherd_animation_format format,
                                         sherd_error *error)
{
    sherd_animation_objects c;
    sherd_status status = sherd_animation_objects_gather(&c, job, format, error);
    sherd_dust *dust = status == SHERD_OK ? sherd_dust_create(job->scene, &c.model, error) : NULL;
    if (status == SHERD_OK && dust == NULL) status = error->status;
    if (status == SHERD_OK) status = pose_frames(&c, dust, error);
    sherd_dust_destroy(dust);
    if (status == SHERD_OK) status = sherd_animation_write(c.animation, job->path, error);
    if (status == SHERD_OK) {
        job->result->pieces = sherd_animation_objects_piece_count(&c);
        job->result->left_out = c.left_out;
        job->result->crumbs_left_out = c.crumbs.left_out;
        job->result->size = sherd_file_size(job->path);
    }
    sherd_animation_objects_free(&c);
    return status;
}
