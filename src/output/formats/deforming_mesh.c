// The pieces of the last exported frame exist from the first frame on, because point caches need a
// constant number of vertices. In every frame a vertex is carried by the elements of the fragment
// that its piece belongs to at that time. So both sides of a crack coincide exactly until it opens,
// and a body bends as a whole.
#include "output/formats/deforming_mesh.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "output/export/obj_write.h"
#include "output/export/pc2_write.h"
#include "output/files/output_names.h"
#include "output/files/readable_frame.h"
#include "output/formats/deforming_mesh_dust.h"
#include "output/formats/final_fragments.h"
#include "output/formats/picture_files.h"
#include "output/pictures/appearance.h"
#include "surface/surface_pose.h"

#include <sherd/file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ROUGHNESS_OUTER = 0.35, ROUGHNESS_INNER = 0.9;
enum { NAME_SIZE = 256 };

typedef struct deforming {
    const sherd_format_job *job;
    const sherd_scene *scene;
    sherd_run_model model;
    sherd_final_fragments last;
    sherd_fragments *now;        // fragments of the current frame
    int *outer, *inner;          // material indices by body
    int **groups;                // material indices of each body's groups, NULL: none
    int *obstacle_material;      // by obstacle
    sherd_mesh **obstacles;      // NULL: invisible
    sherd_mesh *ball;            // unit sphere, for granules
    bool has_granules;           // there are loose bodies
    int piece_count, part_count; // pieces come first
    double **pieces;             // posed vertices
    double *posed;               // of one granule or obstacle
    bool painted;                // a piece has vertex colours
    float *white;                // white vertex colours, with capacity white_room
    size_t white_room;
    deforming_dust dust;
    sherd_picture_files pictures;
    sherd_obj *obj;
    sherd_pc2 *cache;
} deforming;

static sherd_status out_of_memory(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory to export"};
    return SHERD_ERROR_MEMORY;
}

// ---------------------------------------------------------------- what there is

// A sphere of meridians and parallels.
static sherd_mesh *make_ball(sherd_error *error)
{
    enum { AROUND = 8, RINGS = 5, SOUTH = AROUND * RINGS, NORTH = SOUTH + 1 };
    sherd_mesh *ball = sherd_mesh_create(NORTH + 1, 2 * AROUND * RINGS, error);
    if (ball == NULL) return NULL;
    for (int v = 0; v < SOUTH; ++v) {
        double angle = 2.0 * M_PI * (v % AROUND) / AROUND;
        double height = M_PI * ((v / AROUND + 1.0) / (RINGS + 1) - 0.5);
        double *p = ball->vertices + 3 * v;
        p[0] = cos(height) * cos(angle), p[1] = cos(height) * sin(angle), p[2] = sin(height);
    }
    ball->vertices[3 * SOUTH + 2] = -1.0;
    ball->vertices[3 * NORTH + 2] = 1.0;
    int32_t *to = ball->triangles;
    for (int k = 0; k < AROUND; ++k) {
        int next = (k + 1) % AROUND, top = AROUND * (RINGS - 1);
        const int32_t caps[6] = {SOUTH, next, k, NORTH, top + k, top + next};
        memcpy(to, caps, sizeof caps);
        to += 6;
        for (int r = 0; r + 1 < RINGS; ++r, to += 6) {
            int a = AROUND * r + k, b = AROUND * r + next, c = a + AROUND, d = b + AROUND;
            const int32_t band[6] = {a, b, d, a, d, c};
            memcpy(to, band, sizeof band);
        }
    }
    return ball;
}

static sherd_status gather_obstacles(deforming *d, sherd_error *error)
{
    size_t most = (size_t)d->ball->vertex_count;
    for (int k = 0; k < d->model.obstacle_count; ++k) {
        d->obstacles[k] = sherd_appearance_obstacle_mesh(&d->scene->obstacles[k], error);
        if (d->obstacles[k] == NULL && error->status != SHERD_OK) return error->status;
        if (d->obstacles[k] == NULL) continue;
        ++d->part_count;
        if ((size_t)d->obstacles[k]->vertex_count > most)
            most = (size_t)d->obstacles[k]->vertex_count;
    }
    d->posed = calloc(3 * most, sizeof *d->posed);
    return d->posed != NULL ? SHERD_OK : out_of_memory(error);
}

static sherd_status gather_pieces(deforming *d, sherd_error *error)
{
    d->piece_count = sherd_surface_piece_count(d->last.surface);
    d->part_count += d->piece_count;
    d->pieces = calloc((size_t)d->piece_count + 1, sizeof *d->pieces);
    if (d->pieces == NULL) return out_of_memory(error);
    for (int k = 0; k < d->piece_count; ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(d->last.surface, k).mesh;
        d->painted = d->painted || mesh->color != NULL;
        d->pieces[k] = malloc((3 * (size_t)mesh->vertex_count + 1) * sizeof **d->pieces);
        if (d->pieces[k] == NULL) return out_of_memory(error);
    }
    return SHERD_OK;
}

static sherd_status gather(deforming *d, sherd_error *error)
{
    size_t bodies = (size_t)d->model.body_count + 1,
           obstacles = (size_t)d->model.obstacle_count + 1;
    d->outer = calloc(bodies, sizeof *d->outer);
    d->inner = calloc(bodies, sizeof *d->inner);
    d->groups = calloc(bodies, sizeof *d->groups);
    d->obstacles = calloc(obstacles, sizeof(sherd_mesh *));
    d->obstacle_material = calloc(obstacles, sizeof *d->obstacle_material);
    if (d->outer == NULL || d->inner == NULL || d->obstacles == NULL ||
        d->obstacle_material == NULL)
        return out_of_memory(error);
    d->now = sherd_fragments_create(error);
    if (d->now != NULL) d->ball = make_ball(error);
    if (d->ball == NULL) return error->status;
    sherd_run_frame *frame =
        sherd_readable_frame(d->job->run, d->job->last, d->job->first, d->job->last, error);
    if (frame == NULL) return error->status;
    sherd_status status =
        sherd_final_fragments_make(&d->last, d->scene, &d->model, frame, d->job->threads, error);
    sherd_run_frame_destroy(frame);
    if (status == SHERD_OK)
        status = sherd_deforming_dust_create(&d->dust, d->scene, &d->model, d->job->run,
                                             d->job->last, error);
    if (status == SHERD_OK) status = gather_pieces(d, error);
    if (status == SHERD_OK) status = gather_obstacles(d, error);
    int64_t granules = sherd_count_granules(d->scene, &d->model);
    d->has_granules = granules > 0 && granules <= MAX_GRANULES;
    if (d->has_granules) d->part_count += (int)granules;
    return status;
}

static void release(deforming *d)
{
    sherd_obj_destroy(d->obj);
    sherd_pc2_abort(d->cache);
    for (int k = 0; k < d->piece_count && d->pieces != NULL; ++k)
        free(d->pieces[k]);
    for (int k = 0; k < d->model.obstacle_count && d->obstacles != NULL; ++k)
        sherd_mesh_destroy(d->obstacles[k]);
    free(d->pieces);
    free(d->obstacles);
    free(d->posed);
    sherd_free(d->white);
    free(d->outer);
    free(d->inner);
    for (int b = 0; d->groups != NULL && b < d->model.body_count; ++b)
        free(d->groups[b]);
    free(d->groups);
    free(d->obstacle_material);
    sherd_mesh_destroy(d->ball);
    sherd_deforming_dust_release(&d->dust);
    sherd_picture_files_release(&d->pictures);
    sherd_fragments_destroy(d->now);
    sherd_final_fragments_free(&d->last);
}

// ---------------------------------------------------------------- where it is

// Writes the rotated, scaled and translated vertices of a rigid mesh to d->posed.
static void pose_rigid(deforming *d, const sherd_mesh *mesh, sherd_quat q, double scale,
                       sherd_vec3 position)
{
    for (size_t v = 0; v < (size_t)mesh->vertex_count; ++v) {
        const double *from = mesh->vertices + 3 * v;
        double x = scale * from[0], y = scale * from[1], z = scale * from[2];
        double tx = 2.0 * (q.y * z - q.z * y), ty = 2.0 * (q.z * x - q.x * z),
               tz = 2.0 * (q.x * y - q.y * x);
        double *to = d->posed + 3 * v;
        to[0] = position.x + x + q.w * tx + q.y * tz - q.z * ty;
        to[1] = position.y + y + q.w * ty + q.z * tx - q.x * tz;
        to[2] = position.z + z + q.w * tz + q.x * ty - q.y * tx;
    }
}

static void pose_granule(deforming *d, const sherd_run_frame *f, sherd_element_index e)
{
    sherd_quat q = {f->qx[e], f->qy[e], f->qz[e], f->qw[e]};
    pose_rigid(d, d->ball, q, d->model.radius[e], (sherd_vec3){f->x[e], f->y[e], f->z[e]});
}

static void pose_obstacle(deforming *d, const sherd_run_frame *f, int k)
{
    pose_rigid(d, d->obstacles[k], f->obstacles[k].rotation, 1.0, f->obstacles[k].position);
}

static sherd_status pose_pieces(deforming *d, const sherd_run_frame *f, sherd_error *error)
{
    sherd_status status = sherd_frame_fragments(d->now, &d->model, f, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(d->now);
    status = sherd_surface_follow(d->last.surface, &view, error);
    sherd_surface_pose pose = {f->x, f->y, f->z, f->qx, f->qy, f->qz, f->qw};
    if (status == SHERD_OK) sherd_surface_pose_all(d->last.surface, &pose, d->pieces, NULL);
    return status;
}

// ---------------------------------------------------------------- OBJ

static int add_look(deforming *d, const char *name, const sherd_group_look *look,
                    sherd_error *error)
{
    char picture[OUTPUT_PATH];
    if (look->picture != NULL &&
        sherd_picture_files_add(&d->pictures, look->picture, picture, error) != SHERD_OK)
        return -1;
    const sherd_obj_material m = {.name = name,
                                  .red = fmin(fmax((double)look->color.r, 0.0), 1.0),
                                  .green = fmin(fmax((double)look->color.g, 0.0), 1.0),
                                  .blue = fmin(fmax((double)look->color.b, 0.0), 1.0),
                                  .roughness = look->roughness,
                                  .opacity = look->opacity,
                                  .metal = look->metal,
                                  .picture = look->picture != NULL ? picture : NULL};
    return sherd_obj_add_material(d->obj, &m, error);
}

static int add_material(deforming *d, const char *name, sherd_color c, double roughness,
                        double opacity, sherd_error *error)
{
    const sherd_group_look look = {c, roughness, 0.0, opacity, NULL};
    return add_look(d, name, &look, error);
}

// Adds the materials of a body's groups, named after the groups.
static bool add_group_materials(deforming *d, int b, const sherd_group_look *whole,
                                sherd_error *error)
{
    const sherd_mesh *mesh = sherd_final_fragments_mesh_of(&d->last, b);
    if (mesh == NULL || mesh->group_count == 0) return true;
    d->groups[b] = calloc((size_t)mesh->group_count, sizeof *d->groups[b]);
    if (d->groups[b] == NULL) return out_of_memory(error) == SHERD_OK;
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        sherd_group_look look = sherd_body_group_look(d->scene, b, g, whole);
        d->groups[b][g] = add_look(d, sherd_mesh_group_name(mesh, g), &look, error);
        if (d->groups[b][g] < 0) return false;
    }
    return true;
}

// Adds "NAME_outer" and "NAME_inner" for each body, and its groups.
static sherd_status add_materials(deforming *d, sherd_error *error)
{
    char name[NAME_SIZE];
    bool ok = true;
    for (int b = 0; b < d->model.body_count && ok; ++b) {
        const sherd_scene_body *body = &d->scene->bodies[b];
        const sherd_group_look outer = sherd_body_look(d->scene, b, ROUGHNESS_OUTER);
        snprintf(name, sizeof name, "%.200s_outer", body->name);
        d->outer[b] = add_look(d, name, &outer, error);
        snprintf(name, sizeof name, "%.200s_inner", body->name);
        d->inner[b] = add_material(d, name, sherd_appearance_broken(d->scene, b, outer.color),
                                   ROUGHNESS_INNER, outer.opacity, error);
        ok = d->outer[b] >= 0 && d->inner[b] >= 0 && add_group_materials(d, b, &outer, error);
    }
    for (int k = 0; k < d->model.obstacle_count && ok; ++k) {
        const sherd_scene_obstacle *o = &d->scene->obstacles[k];
        if (d->obstacles[k] == NULL) continue;
        d->obstacle_material[k] = add_material(d, o->def.name, sherd_appearance_color(o->color),
                                               ROUGHNESS_OUTER, 1.0, error);
        ok = d->obstacle_material[k] >= 0;
    }
    return ok ? SHERD_OK : error->status;
}

// Blender reads vertex colours only if all vertices have them, so others are white. False if memory
// is short.
static bool find_paint(deforming *d, const sherd_mesh *mesh, const float **paint)
{
    *paint = mesh->color;
    if (mesh->color != NULL || !d->painted) return true;
    size_t count = 3 * (size_t)mesh->vertex_count, before = d->white_room;
    if (!sherd_grow((void **)&d->white, &d->white_room, count, sizeof *d->white)) return false;
    for (size_t k = before; k < d->white_room; ++k)
        d->white[k] = 1.0f;
    *paint = d->white;
    return true;
}

static sherd_status add_mesh(deforming *d, const char *name, const sherd_mesh *mesh,
                             const double *vertices, int outer, int inner, const int *groups,
                             sherd_error *error)
{
    const float *paint;
    if (!find_paint(d, mesh, &paint)) return out_of_memory(error);
    const sherd_obj_part part = {.name = name,
                                 .vertex_count = mesh->vertex_count,
                                 .vertices = vertices,
                                 .triangle_count = mesh->triangle_count,
                                 .triangles = mesh->triangles,
                                 .face_kind = mesh->face_kind,
                                 .uv = mesh->uv,
                                 .outer_material = outer,
                                 .inner_material = inner,
                                 .color = paint,
                                 .group = groups != NULL ? mesh->group : NULL,
                                 .group_count = groups != NULL ? mesh->group_count : 0,
                                 .group_materials = groups};
    return sherd_obj_add_part(d->obj, &part, error) >= 0 ? SHERD_OK : error->status;
}

static sherd_status add_pieces(deforming *d, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < d->piece_count && status == SHERD_OK; ++k) {
        sherd_surface_piece piece = sherd_surface_get_piece(d->last.surface, k);
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "fragment_%d", piece.fragment);
        status = add_mesh(d, name, piece.mesh, d->pieces[k], d->outer[piece.body],
                          d->inner[piece.body], d->groups[piece.body], error);
    }
    return status;
}

static sherd_status add_rest(deforming *d, const sherd_run_frame *first, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    char name[NAME_SIZE];
    for (int b = 0; b < d->model.body_count && status == SHERD_OK; ++b) {
        const sherd_body_info *info = &d->model.bodies[b];
        sherd_element_index count = d->has_granules && d->scene->bodies[b].loose ? info->count : 0;
        for (sherd_element_index e = info->first; e < info->first + count && status == SHERD_OK;
             ++e) {
            snprintf(name, sizeof name, "granule_%d", (int)e);
            pose_granule(d, first, e);
            status = add_mesh(d, name, d->ball, d->posed, d->outer[b], d->outer[b], NULL, error);
        }
    }
    for (int k = 0; k < d->model.obstacle_count && status == SHERD_OK; ++k) {
        if (d->obstacles[k] == NULL) continue;
        snprintf(name, sizeof name, "obstacle_%.200s", d->scene->obstacles[k].def.name);
        pose_obstacle(d, first, k);
        status = add_mesh(d, name, d->obstacles[k], d->posed, d->obstacle_material[k],
                          d->obstacle_material[k], NULL, error);
    }
    return status;
}

// Adds "dust_NAME" for each body with dust.
static sherd_status add_dust(deforming *d, double time, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    char name[NAME_SIZE];
    for (int b = 0; b < d->model.body_count && status == SHERD_OK; ++b) {
        sherd_mesh *mesh = sherd_deforming_dust_mesh(&d->dust, b, time, error);
        status = error->status;
        if (mesh == NULL) continue;
        snprintf(name, sizeof name, "dust_%.200s", d->scene->bodies[b].name);
        status = add_mesh(d, name, mesh, mesh->vertices, d->inner[b], d->inner[b], NULL, error);
        sherd_mesh_destroy(mesh);
    }
    return status;
}

// Writes the mesh in its first frame.
static sherd_status write_mesh(deforming *d, const char *path, sherd_error *error)
{
    sherd_run_frame *first =
        sherd_readable_frame(d->job->run, d->job->first, d->job->first, d->job->last, error);
    if (first == NULL) return error->status;
    sherd_status status = pose_pieces(d, first, error);
    if (status == SHERD_OK) {
        d->obj = sherd_obj_create(path, d->scene->name, error);
        status = d->obj != NULL ? add_materials(d, error) : error->status;
    }
    if (status == SHERD_OK) status = add_pieces(d, error);
    if (status == SHERD_OK) status = add_rest(d, first, error);
    if (status == SHERD_OK) status = add_dust(d, first->time, error);
    sherd_run_frame_destroy(first);
    return status == SHERD_OK ? sherd_obj_write(d->obj, error) : status;
}

// ---------------------------------------------------------------- PC2

static sherd_status cache_dust(deforming *d, double time, sherd_error *error)
{
    for (int b = 0; b < d->model.body_count; ++b) {
        sherd_mesh *mesh = sherd_deforming_dust_mesh(&d->dust, b, time, error);
        if (mesh == NULL && error->status != SHERD_OK) return error->status;
        if (mesh != NULL) sherd_pc2_add(d->cache, mesh->vertex_count, mesh->vertices);
        sherd_mesh_destroy(mesh);
    }
    return SHERD_OK;
}

static sherd_status cache_frame(deforming *d, const sherd_run_frame *f, sherd_error *error)
{
    sherd_status status = pose_pieces(d, f, error);
    if (status != SHERD_OK) return status;
    for (int k = 0; k < d->piece_count; ++k)
        sherd_pc2_add(d->cache, sherd_surface_get_piece(d->last.surface, k).mesh->vertex_count,
                      d->pieces[k]);
    for (int b = 0; b < d->model.body_count && d->has_granules; ++b) {
        const sherd_body_info *info = &d->model.bodies[b];
        for (sherd_element_index e = info->first;
             d->scene->bodies[b].loose && e < info->first + info->count; ++e) {
            pose_granule(d, f, e);
            sherd_pc2_add(d->cache, d->ball->vertex_count, d->posed);
        }
    }
    for (int k = 0; k < d->model.obstacle_count; ++k) {
        if (d->obstacles[k] == NULL) continue;
        pose_obstacle(d, f, k);
        sherd_pc2_add(d->cache, d->obstacles[k]->vertex_count, d->posed);
    }
    return cache_dust(d, f->time, error);
}

static sherd_status write_cache(deforming *d, const char *path, sherd_error *error)
{
    const sherd_format_job *job = d->job;
    d->cache =
        sherd_pc2_create(path, sherd_obj_vertex_count(d->obj), job->last - job->first + 1, error);
    if (d->cache == NULL) return error->status;
    for (int64_t k = job->first; k <= job->last; ++k) {
        sherd_run_frame *frame = sherd_readable_frame(job->run, k, job->first, job->last, error);
        if (frame == NULL) return error->status;
        sherd_status status = cache_frame(d, frame, error);
        sherd_run_frame_destroy(frame);
        if (status != SHERD_OK) return status;
        if (job->on_frame != NULL) job->on_frame(job->context, "frame", k, job->last);
    }
    sherd_status status = sherd_pc2_finish(d->cache, error);
    d->cache = NULL;
    return status;
}

// ---------------------------------------------------------------- both

static sherd_status check_content(const deforming *d, sherd_error *error)
{
    if (d->part_count > 0) return SHERD_OK;
    *error = (sherd_error){.status = SHERD_ERROR_UNSUPPORTED,
                           .hint = "sherd export RUN --to vtk takes any number of granules"};
    snprintf(error->what, sizeof error->what,
             "there is nothing to export but granules, more than %d", MAX_GRANULES);
    return error->status;
}

sherd_status sherd_deforming_mesh_write(sherd_format_job *job, sherd_error *error)
{
    deforming d = {.job = job,
                   .scene = job->scene,
                   .model = sherd_run_get_model(job->run),
                   .pictures = {.job = job}};
    char cache[OUTPUT_PATH];
    sherd_format_sibling_path(job, "run.pc2", cache);
    sherd_status status = gather(&d, error);
    if (status == SHERD_OK) status = check_content(&d, error);
    if (status == SHERD_OK) status = write_mesh(&d, job->path, error);
    if (status == SHERD_OK) status = write_cache(&d, cache, error);
    if (status == SHERD_OK) {
        job->result->pieces = d.part_count;
        job->result->left_out = d.has_granules ? 0 : sherd_count_granules(d.scene, &d.model);
        job->result->size = sherd_file_size(job->path) + sherd_file_size(cache);
    }
    release(&d);
    return status;
}
