// A run as rigid pieces that move.
//
// Fragments only ever split. So those of the last frame, each with the mesh it has then, make up the
// bodies in every earlier frame as well: before it breaks, a body is shown as its future pieces,
// which touch exactly at rest and move together. Each triangle is stored once, nothing pops, and a
// piece is one object from the first frame to the last. What this can't show is a body that bends
// much before it breaks: meshes per frame (ply, vtk) do.
//
// Cracks that end inside a piece are left closed: a rigid piece would show them from the start.
#include "animation.h"

#include "look.h"

#include <sherd/export_glb.h>
#include <sherd/file.h>
#include <sherd/surface.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Loose granules become one object each. Blender takes seconds to load this many, and minutes for
// ten times as many.
enum { MOST_GRANULES = 20000 };

// Blender's usual rate: a frame of the run is a frame of the animation.
static const double PLAYBACK_RATE = 24.0; // [Hz]

static const double ROUGHNESS_OUTER = 0.35, ROUGHNESS_INNER = 0.9, ROUGHNESS_OBSTACLE = 0.35;

// Positions say nothing about how a grain, a pair or a straight row turns about itself: up to this
// many elements, the piece turns as its elements do.
enum { FEW = 8 };

typedef struct fragment_piece {
    int piece;    // in the glb
    int32_t slot; // in the fragments of the last frame
    int few;      // elements, when there are few, else 0
    sherd_element_index elements[FEW];
} fragment_piece;

typedef struct animation {
    const animation_def *def;
    const sherd_scene *scene;
    sherd_run_model model;
    sherd_fragments *fragments; // of the last frame
    sherd_surface_body *bodies;
    sherd_surface *surface; // of the last frame
    sherd_glb *glb;
    int *outer, *inner; // materials by body
    int fragment_count;
    fragment_piece *fragment_pieces;
    int *granules;  // first piece of a loose body's elements, or -1  (bodies)
    int *obstacles; // pieces, or -1                                  (obstacles)
} animation;

static sherd_status out_of_memory(sherd_error *error)
{
    *error =
        (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for the animation"};
    return SHERD_ERROR_MEMORY;
}

// ---------------------------------------------------------------- fragments of the last frame

static sherd_status find_fragments(animation *a, const sherd_run_frame *frame, sherd_error *error)
{
    a->fragments = sherd_fragments_create(error);
    if (a->fragments == NULL) return error->status;
    const sherd_run_model *m = &a->model;
    sherd_fragment_id next = 1;
    for (sherd_element_index k = 0; k < m->element_count; ++k)
        if (frame->element_fragment[k] >= next) next = frame->element_fragment[k] + 1;
    sherd_status status = sherd_fragments_restore(a->fragments, frame->element_fragment,
                                                  m->element_count, next, error);
    sherd_fragment_input input = {m->element_count, m->mass,   m->radius,         m->bond_count,
                                  m->bond_i,        m->bond_j, frame->bond_broken};
    return status == SHERD_OK ? sherd_fragments_update(a->fragments, &input, error) : status;
}

static sherd_status make_surface(animation *a, const sherd_run_frame *frame, sherd_error *error)
{
    const sherd_run_model *m = &a->model;
    for (int b = 0; b < m->body_count; ++b)
        a->bodies[b] =
            (sherd_surface_body){a->scene->bodies[b].loose ? NULL : a->scene->bodies[b].shape,
                                 m->bodies[b].first, m->bodies[b].count};
    sherd_surface_def def = sherd_surface_def_default();
    def.body_count = m->body_count;
    def.bodies = a->bodies;
    def.element_count = m->element_count;
    def.rest_x = m->rest_x, def.rest_y = m->rest_y, def.rest_z = m->rest_z;
    def.radius = m->radius;
    def.bond_count = m->bond_count;
    def.bond_i = m->bond_i, def.bond_j = m->bond_j;
    def.crack_gap = 0.0;
    def.threads = a->def->threads;
    a->surface = sherd_surface_create(&def, error);
    if (a->surface == NULL) return error->status;
    sherd_fragment_view view = sherd_fragments_view(a->fragments);
    return sherd_surface_update(a->surface, &view, frame->bond_broken, error);
}

// ---------------------------------------------------------------- materials

static int add_material(animation *a, const char *name, const char *suffix, sherd_color c,
                        double roughness, sherd_error *error)
{
    char full[256];
    snprintf(full, sizeof full, "%.200s%s", name, suffix);
    sherd_glb_material material = {full,
                                   fmin(fmax(c.r, 0.0), 1.0),
                                   fmin(fmax(c.g, 0.0), 1.0),
                                   fmin(fmax(c.b, 0.0), 1.0),
                                   roughness,
                                   0.0};
    return sherd_glb_add_material(a->glb, &material, error);
}

static sherd_status add_materials(animation *a, sherd_error *error)
{
    for (int b = 0; b < a->model.body_count; ++b) {
        const sherd_scene_body *body = &a->scene->bodies[b];
        sherd_color color = look_color(body->color);
        a->outer[b] = add_material(a, body->name, "", color, ROUGHNESS_OUTER, error);
        if (a->outer[b] >= 0)
            a->inner[b] =
                add_material(a, body->name, " broken", look_broken(color), ROUGHNESS_INNER, error);
        if (a->outer[b] < 0 || a->inner[b] < 0) return error->status;
    }
    return SHERD_OK;
}

// ---------------------------------------------------------------- pieces

static sherd_status add_fragment(animation *a, const sherd_surface_piece *surface,
                                 sherd_error *error)
{
    sherd_fragment_view view = sherd_fragments_view(a->fragments);
    int32_t slot = view.element_slot[surface->bones[0]];
    const sherd_fragment *f = &view.fragments[slot];
    const sherd_run_model *m = &a->model;
    sherd_fragment_motion rest =
        sherd_fragments_motion(a->fragments, slot, m->mass, m->rest_x, m->rest_y, m->rest_z,
                               m->rest_x, m->rest_y, m->rest_z);
    char name[256];
    snprintf(name, sizeof name, "%.200s %d", m->bodies[surface->body].name, f->id);
    const sherd_mesh *mesh = surface->mesh;
    sherd_glb_mesh glb_mesh = {.name = name,
                               .vertex_count = mesh->vertex_count,
                               .vertices = mesh->vertices,
                               .triangle_count = mesh->triangle_count,
                               .triangles = mesh->triangles,
                               .face_kind = mesh->face_kind,
                               .origin = rest.rest_center,
                               .fragment = f->id,
                               .outer_material = a->outer[surface->body],
                               .inner_material = a->inner[surface->body]};
    sherd_glb_piece piece = {.name = name,
                             .mesh = sherd_glb_add_mesh(a->glb, &glb_mesh, error),
                             .scale = 1.0,
                             .fragment = f->id,
                             .elements = f->count,
                             .mass = f->mass};
    int index = piece.mesh >= 0 ? sherd_glb_add_piece(a->glb, &piece, error) : -1;
    if (index < 0) return error->status;
    fragment_piece *made = &a->fragment_pieces[a->fragment_count++];
    *made = (fragment_piece){.piece = index, .slot = slot};
    for (sherd_element_index e = f->first; f->count <= FEW && made->few < f->count; ++e)
        if (view.element_slot[e] == slot) made->elements[made->few++] = e;
    return SHERD_OK;
}

static sherd_status add_fragments(animation *a, sherd_error *error)
{
    int count = sherd_surface_piece_count(a->surface);
    a->fragment_pieces = calloc((size_t)count + 1, sizeof *a->fragment_pieces);
    if (a->fragment_pieces == NULL) return out_of_memory(error);
    sherd_status status = SHERD_OK;
    for (int k = 0; k < count && status == SHERD_OK; ++k) {
        sherd_surface_piece piece = sherd_surface_get_piece(a->surface, k);
        if (piece.mesh->triangle_count > 0) status = add_fragment(a, &piece, error);
    }
    return status;
}

// A loose body's elements as spheres that share one mesh.
static sherd_status add_granules(animation *a, int body, sherd_error *error)
{
    const sherd_body_info *info = &a->model.bodies[body];
    int mesh = sherd_glb_add_unit_sphere(a->glb, a->outer[body], error);
    if (mesh < 0) return error->status;
    sherd_fragment_view view = sherd_fragments_view(a->fragments);
    for (sherd_element_index k = 0; k < info->count; ++k) {
        sherd_element_index e = info->first + k;
        char name[256];
        snprintf(name, sizeof name, "%.200s %d", info->name, k);
        sherd_glb_piece piece = {
            name, mesh, a->model.radius[e], view.element_fragment[e], 1, a->model.mass[e]};
        int index = sherd_glb_add_piece(a->glb, &piece, error);
        if (index < 0) return error->status;
        if (k == 0) a->granules[body] = index;
    }
    return SHERD_OK;
}

static sherd_status add_loose_bodies(animation *a, animation_summary *summary, sherd_error *error)
{
    int64_t total = 0;
    for (int b = 0; b < a->model.body_count; ++b)
        if (a->scene->bodies[b].loose) total += a->model.bodies[b].count;
    if (total > MOST_GRANULES) {
        summary->left_out = total;
        return SHERD_OK;
    }
    sherd_status status = SHERD_OK;
    for (int b = 0; b < a->model.body_count && status == SHERD_OK; ++b)
        if (a->scene->bodies[b].loose && a->model.bodies[b].count > 0)
            status = add_granules(a, b, error);
    return status;
}

static sherd_status add_obstacle(animation *a, int k, const sherd_mesh *mesh, sherd_error *error)
{
    const sherd_scene_obstacle *obstacle = &a->scene->obstacles[k];
    const char *name = obstacle->def.name;
    int material =
        add_material(a, name, "", look_color(obstacle->color), ROUGHNESS_OBSTACLE, error);
    if (material < 0) return error->status;
    sherd_glb_mesh glb_mesh = {.name = name,
                               .vertex_count = mesh->vertex_count,
                               .vertices = mesh->vertices,
                               .normals = mesh->normals,
                               .triangle_count = mesh->triangle_count,
                               .triangles = mesh->triangles,
                               .outer_material = material,
                               .inner_material = material};
    sherd_glb_piece piece = {
        .name = name, .mesh = sherd_glb_add_mesh(a->glb, &glb_mesh, error), .scale = 1.0};
    a->obstacles[k] = piece.mesh >= 0 ? sherd_glb_add_piece(a->glb, &piece, error) : -1;
    return a->obstacles[k] >= 0 ? SHERD_OK : error->status;
}

static sherd_status add_obstacles(animation *a, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < a->model.obstacle_count && status == SHERD_OK; ++k) {
        sherd_mesh *mesh = look_obstacle_mesh(&a->scene->obstacles[k], error);
        if (mesh != NULL)
            status = add_obstacle(a, k, mesh, error);
        else
            status = error->status; // OK when there is nothing to see
        sherd_mesh_destroy(mesh);
    }
    return status;
}

// ---------------------------------------------------------------- poses

static sherd_quat element_rotation(const sherd_run_frame *f, sherd_element_index e)
{
    return (sherd_quat){f->qx[e], f->qy[e], f->qz[e], f->qw[e]};
}

// The mean of a few elements' orientations, which differ little: q and -q are the same rotation, so
// all are brought to the side of the first.
static sherd_quat mean_rotation(const sherd_run_frame *f, const fragment_piece *p)
{
    sherd_quat first = element_rotation(f, p->elements[0]), sum = {0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < p->few; ++k) {
        sherd_quat q = element_rotation(f, p->elements[k]);
        double along = q.x * first.x + q.y * first.y + q.z * first.z + q.w * first.w;
        double sign = along < 0.0 ? -1.0 : 1.0;
        sum.x += sign * q.x, sum.y += sign * q.y, sum.z += sign * q.z, sum.w += sign * q.w;
    }
    double length = sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z + sum.w * sum.w);
    return (sherd_quat){sum.x / length, sum.y / length, sum.z / length, sum.w / length};
}

static sherd_status pose_fragments(animation *a, const sherd_run_frame *f, int64_t at,
                                   sherd_error *error)
{
    const sherd_run_model *m = &a->model;
    sherd_status status = SHERD_OK;
    for (int k = 0; k < a->fragment_count && status == SHERD_OK; ++k) {
        const fragment_piece *p = &a->fragment_pieces[k];
        sherd_pose pose = sherd_fragments_motion(a->fragments, p->slot, m->mass, m->rest_x,
                                                 m->rest_y, m->rest_z, f->x, f->y, f->z)
                              .pose;
        if (p->few > 0) pose.rotation = mean_rotation(f, p);
        status = sherd_glb_set_pose(a->glb, p->piece, at, pose, error);
    }
    return status;
}

static sherd_status pose_granules(animation *a, int body, const sherd_run_frame *f, int64_t at,
                                  sherd_error *error)
{
    const sherd_body_info *info = &a->model.bodies[body];
    sherd_status status = SHERD_OK;
    for (sherd_element_index k = 0; k < info->count && status == SHERD_OK; ++k) {
        sherd_element_index e = info->first + k;
        sherd_pose pose = {{f->x[e], f->y[e], f->z[e]}, element_rotation(f, e)};
        status = sherd_glb_set_pose(a->glb, a->granules[body] + k, at, pose, error);
    }
    return status;
}

static sherd_status pose_frame(animation *a, const sherd_run_frame *f, sherd_error *error)
{
    int64_t at = f->index - a->def->first;
    sherd_status status = pose_fragments(a, f, at, error);
    for (int b = 0; b < a->model.body_count && status == SHERD_OK; ++b)
        if (a->granules[b] >= 0) status = pose_granules(a, b, f, at, error);
    for (int k = 0; k < a->model.obstacle_count && status == SHERD_OK; ++k)
        if (a->obstacles[k] >= 0)
            status = sherd_glb_set_pose(a->glb, a->obstacles[k], at, f->obstacles[k], error);
    return status;
}

static sherd_status pose_frames(animation *a, sherd_error *error)
{
    const animation_def *def = a->def;
    sherd_status status = SHERD_OK;
    for (int64_t k = def->first; k <= def->last && status == SHERD_OK; ++k) {
        sherd_run_frame *frame = sherd_run_read_frame(def->run, k, error);
        if (frame == NULL) return error->status;
        status = pose_frame(a, frame, error);
        sherd_run_frame_destroy(frame);
        if (status == SHERD_OK && def->progress != NULL) def->progress("frame", k, def->last);
    }
    return status;
}

// ---------------------------------------------------------------- all of it

static double largest_extent(const sherd_run_model *m)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    const double *rest[3] = {m->rest_x, m->rest_y, m->rest_z};
    double extent = 0.0;
    for (int c = 0; c < 3; ++c) {
        for (sherd_element_index k = 0; k < m->element_count; ++k) {
            low[c] = fmin(low[c], rest[c][k] - m->radius[k]);
            high[c] = fmax(high[c], rest[c][k] + m->radius[k]);
        }
        extent = fmax(extent, high[c] - low[c]);
    }
    return extent > 0.0 && isfinite(extent) ? extent : 1.0;
}

static sherd_status start_glb(animation *a, sherd_error *error)
{
    int64_t count = a->def->last - a->def->first + 1;
    double *times = calloc((size_t)count, sizeof *times);
    if (times == NULL) return out_of_memory(error);
    for (int64_t k = 0; k < count; ++k)
        times[k] = (double)k / PLAYBACK_RATE;
    sherd_glb_def def = {a->scene->name, count, times, largest_extent(&a->model)};
    a->glb = sherd_glb_create(&def, error);
    free(times);
    return a->glb != NULL ? SHERD_OK : error->status;
}

static sherd_status allocate(animation *a, sherd_error *error)
{
    size_t bodies = (size_t)a->model.body_count + 1,
           obstacles = (size_t)a->model.obstacle_count + 1;
    a->bodies = calloc(bodies, sizeof *a->bodies);
    a->outer = calloc(bodies, sizeof *a->outer);
    a->inner = calloc(bodies, sizeof *a->inner);
    a->granules = calloc(bodies, sizeof *a->granules);
    a->obstacles = calloc(obstacles, sizeof *a->obstacles);
    if (a->bodies == NULL || a->outer == NULL || a->inner == NULL || a->granules == NULL ||
        a->obstacles == NULL)
        return out_of_memory(error);
    for (size_t k = 0; k < bodies; ++k)
        a->granules[k] = -1;
    for (size_t k = 0; k < obstacles; ++k)
        a->obstacles[k] = -1;
    return SHERD_OK;
}

static void release(animation *a)
{
    sherd_glb_destroy(a->glb);
    sherd_surface_destroy(a->surface);
    sherd_fragments_destroy(a->fragments);
    free(a->bodies);
    free(a->outer);
    free(a->inner);
    free(a->fragment_pieces);
    free(a->granules);
    free(a->obstacles);
}

static sherd_status prepare(animation *a, animation_summary *summary, sherd_error *error)
{
    sherd_status status = allocate(a, error);
    if (status != SHERD_OK) return status;
    sherd_run_frame *last = sherd_run_read_frame(a->def->run, a->def->last, error);
    if (last == NULL) return error->status;
    status = find_fragments(a, last, error);
    if (status == SHERD_OK) status = make_surface(a, last, error);
    if (status == SHERD_OK) status = start_glb(a, error);
    if (status == SHERD_OK) status = add_materials(a, error);
    if (status == SHERD_OK) status = add_fragments(a, error);
    if (status == SHERD_OK) status = add_loose_bodies(a, summary, error);
    sherd_run_frame_destroy(last);
    return status;
}

static sherd_status check_content(const animation *a, const animation_summary *summary,
                                  sherd_error *error)
{
    bool granules = false;
    for (int b = 0; b < a->model.body_count; ++b)
        granules = granules || a->granules[b] >= 0;
    if (a->fragment_count > 0 || granules) return SHERD_OK;
    *error = (sherd_error){.status = SHERD_ERROR_UNSUPPORTED,
                           .hint = "sherd export RUN --to vtk takes any number of them"};
    snprintf(error->what, sizeof error->what,
             "%lld loose granules are too many for a glb, at most %d", (long long)summary->left_out,
             MOST_GRANULES);
    return error->status;
}

static void count_pieces(const animation *a, animation_summary *summary)
{
    summary->pieces = a->fragment_count;
    for (int b = 0; b < a->model.body_count; ++b)
        if (a->granules[b] >= 0) summary->pieces += a->model.bodies[b].count;
    for (int k = 0; k < a->model.obstacle_count; ++k)
        summary->pieces += a->obstacles[k] >= 0;
}

sherd_status animation_write(const animation_def *def, const char *path, animation_summary *summary,
                             sherd_error *error)
{
    *summary = (animation_summary){0};
    animation a = {.def = def, .scene = def->scene, .model = sherd_run_get_model(def->run)};
    sherd_status status = prepare(&a, summary, error);
    if (status == SHERD_OK) status = check_content(&a, summary, error);
    if (status == SHERD_OK) status = add_obstacles(&a, error);
    if (status == SHERD_OK) status = pose_frames(&a, error);
    if (status == SHERD_OK) status = sherd_glb_write(a.glb, path, error);
    if (status == SHERD_OK) {
        count_pieces(&a, summary);
        summary->size = sherd_file_size(path);
    }
    release(&a);
    return status;
}
