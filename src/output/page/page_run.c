#include "output/page/page_run.h"

#include "base/assertion.h"
#include "output/files/readable_frame.h"
#include "output/page/page_sections.h"
#include "surface/fragments.h"
#include "surface/surface_pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A piece whose vertices deviate less than this from a rigid motion is stored as rigid: gaps to its
// neighbours are then smaller than an element. [mean radii]
static const double RIGID_WITHIN = 0.2;

static const sherd_bounds EMPTY = {{INFINITY, INFINITY, INFINITY},
                                   {-INFINITY, -INFINITY, -INFINITY}};

sherd_status sherd_page_out_of_memory(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for the page"};
    return SHERD_ERROR_MEMORY;
}

static void include_point(sherd_bounds *b, double x, double y, double z, double r)
{
    b->low = (sherd_vec3){fmin(b->low.x, x - r), fmin(b->low.y, y - r), fmin(b->low.z, z - r)};
    b->high = (sherd_vec3){fmax(b->high.x, x + r), fmax(b->high.y, y + r), fmax(b->high.z, z + r)};
}

static void include_bounds(sherd_bounds *b, const sherd_bounds *more)
{
    b->low = (sherd_vec3){fmin(b->low.x, more->low.x), fmin(b->low.y, more->low.y),
                          fmin(b->low.z, more->low.z)};
    b->high = (sherd_vec3){fmax(b->high.x, more->high.x), fmax(b->high.y, more->high.y),
                           fmax(b->high.z, more->high.z)};
}

// ---------------------------------------------------------------- what there is

static int body_of(const sherd_run_model *m, sherd_element_index element)
{
    int body = 0;
    while (body + 1 < m->body_count && element >= m->bodies[body + 1].first)
        ++body;
    return body;
}

static sherd_status gather_pieces(sherd_page_run *p, sherd_error *error)
{
    const sherd_run_model *m = &p->model;
    sherd_fragment_view view = sherd_fragments_view(p->last.fragments);
    p->pieces = calloc((size_t)view.count + 1, sizeof *p->pieces);
    if (p->pieces == NULL) return sherd_page_out_of_memory(error);
    p->piece_count = view.count;
    for (int k = 0; k < view.count; ++k)
        p->pieces[k] = (sherd_page_piece){
            .motion = sherd_piece_motion_make(&view, k),
            .body = body_of(m, view.fragments[k].first),
            .surface = -1,
            .bounds = EMPTY,
            .rest_center =
                sherd_fragments_motion(p->last.fragments, k, m->mass, m->rest_x, m->rest_y,
                                       m->rest_z, m->rest_x, m->rest_y, m->rest_z)
                    .rest_center,
        };
    for (int k = 0; k < p->surface_count; ++k) {
        sherd_surface_piece surface = sherd_surface_get_piece(p->last.surface, k);
        if (surface.mesh->triangle_count > 0)
            p->pieces[view.element_slot[surface.bones[0]]].surface = k;
    }
    return SHERD_OK;
}

// Without surfaces.
static sherd_status make_fragments(sherd_page_run *p, const sherd_run_frame *last,
                                   sherd_error *error)
{
    p->last.fragments = sherd_fragments_create(error);
    if (p->last.fragments == NULL) return error->status;
    return sherd_frame_fragments(p->last.fragments, &p->model, last, error);
}

static sherd_status gather_meshes(sherd_page_run *p, const sherd_run_frame *last,
                                  sherd_error *error)
{
    bool meshes = p->scene->output.surface.enabled;
    sherd_status status = meshes ? sherd_final_fragments_make(&p->last, p->scene, &p->model, last,
                                                              p->job->threads, error)
                                 : make_fragments(p, last, error);
    if (status != SHERD_OK) return status;
    p->surface_count = meshes ? sherd_surface_piece_count(p->last.surface) : 0;
    p->posed = calloc((size_t)p->surface_count + 1, sizeof *p->posed);
    if (p->posed == NULL) return sherd_page_out_of_memory(error);
    for (int k = 0; k < p->surface_count; ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(p->last.surface, k).mesh;
        p->posed[k] = malloc((3 * (size_t)mesh->vertex_count + 1) * sizeof **p->posed);
        if (p->posed[k] == NULL) return sherd_page_out_of_memory(error);
    }
    return gather_pieces(p, error);
}

// Loose bodies, and all bodies if surfaces are off.
static void gather_points(sherd_page_run *p)
{
    for (int b = 0; b < p->model.body_count; ++b) {
        const sherd_body_info *info = &p->model.bodies[b];
        if (p->scene->output.surface.enabled && !p->scene->bodies[b].loose) continue;
        for (sherd_element_index k = 0; k < info->count; ++k)
            p->points[p->point_count++] = info->first + k;
    }
}

static void add_site(sherd_page_run *p, sherd_element_index element)
{
    if (p->site[element] >= 0) return;
    p->site[element] = p->site_count;
    p->sites[p->site_count++] = element;
}

// Elements whose values the page shows: those with the largest weight for a vertex, and those drawn
// as points.
static sherd_status gather_sites(sherd_page_run *p, sherd_error *error)
{
    size_t n = (size_t)p->model.element_count + 1;
    p->site = malloc(n * sizeof *p->site);
    p->sites = malloc(n * sizeof *p->sites);
    p->points = malloc(n * sizeof *p->points);
    if (p->site == NULL || p->sites == NULL || p->points == NULL)
        return sherd_page_out_of_memory(error);
    for (sherd_element_index k = 0; k < p->model.element_count; ++k) {
        p->site[k] = -1;
        p->radius += p->model.radius[k] / p->model.element_count;
    }
    gather_points(p);
    for (sherd_element_index k = 0; k < p->point_count; ++k)
        add_site(p, p->points[k]);
    for (int k = 0; k < p->surface_count; ++k) {
        sherd_surface_piece piece = sherd_surface_get_piece(p->last.surface, k);
        for (int32_t v = 0; v < piece.mesh->vertex_count; ++v)
            add_site(p, sherd_page_main_bone(&piece, v));
    }
    return SHERD_OK;
}

// ---------------------------------------------------------------- frames

sherd_status sherd_page_run_pose(sherd_page_run *p, const sherd_run_frame *f, sherd_error *error)
{
    if (p->surface_count == 0) return SHERD_OK;
    sherd_status status = sherd_frame_fragments(p->now, &p->model, f, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(p->now);
    status = sherd_surface_follow(p->last.surface, &view, error);
    sherd_surface_pose pose = {f->x, f->y, f->z, f->qx, f->qy, f->qz, f->qw};
    if (status == SHERD_OK) sherd_surface_pose_all(p->last.surface, &pose, p->posed, NULL);
    return status;
}

const float *sherd_page_run_stress(const sherd_page_run *p, const sherd_run_frame *f)
{
    if (!p->stress_in_pascals) return f->stress_ratio;
    for (int k = 0; k < f->column_count; ++k)
        if (f->columns[k].per == SHERD_RUN_PER_ELEMENT &&
            strcmp(f->columns[k].name, "von_mises_pa") == 0)
            return f->columns[k].values;
    return NULL;
}

static sherd_vec3 moved(sherd_pose pose, double x, double y, double z)
{
    sherd_quat q = pose.rotation;
    double tx = 2.0 * (q.y * z - q.z * y), ty = 2.0 * (q.z * x - q.x * z),
           tz = 2.0 * (q.x * y - q.y * x);
    return (sherd_vec3){pose.position.x + x + q.w * tx + q.y * tz - q.z * ty,
                        pose.position.y + y + q.w * ty + q.z * tx - q.x * tz,
                        pose.position.z + z + q.w * tz + q.x * ty - q.y * tx};
}

// Largest distance of a piece's vertices from their positions in the rigid motion.
static void compare_piece(sherd_page_run *p, sherd_page_piece *piece, sherd_pose pose)
{
    const sherd_mesh *mesh = sherd_surface_get_piece(p->last.surface, piece->surface).mesh;
    const double *posed = p->posed[piece->surface];
    sherd_vec3 c = piece->rest_center;
    double largest = 0.0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v, posed += 3) {
        const double *rest = mesh->vertices + 3 * (size_t)v;
        sherd_vec3 to = moved(pose, rest[0] - c.x, rest[1] - c.y, rest[2] - c.z);
        double x = to.x - posed[0], y = to.y - posed[1], z = to.z - posed[2];
        largest = fmax(largest, x * x + y * y + z * z);
        include_point(&piece->bounds, posed[0], posed[1], posed[2], 0.0);
    }
    piece->deviation = fmax(piece->deviation, sqrt(largest));
}

// x, y, z and the quaternion of each obstacle, as floats.
static void examine_obstacles(sherd_page_run *p, const sherd_run_frame *f)
{
    for (int k = 0; k < p->model.obstacle_count; ++k) {
        sherd_pose q = f->obstacles[k];
        const float row[7] = {(float)q.position.x, (float)q.position.y, (float)q.position.z,
                              (float)q.rotation.x, (float)q.rotation.y, (float)q.rotation.z,
                              (float)q.rotation.w};
        sherd_byte_buffer_append(&p->obstacle_poses, row, sizeof row);
    }
}

static void examine_values(sherd_page_run *p, const sherd_run_frame *f)
{
    const float *stress = sherd_page_run_stress(p, f);
    for (int32_t k = 0; k < p->site_count; ++k) {
        sherd_element_index e = p->sites[k];
        p->top_speed = fmax(p->top_speed, hypot(hypot(f->vx[e], f->vy[e]), f->vz[e]));
        if (stress != NULL && isfinite(stress[e]))
            p->top_stress = fmax(p->top_stress, (double)stress[e]);
    }
    for (sherd_element_index k = 0; k < p->point_count; ++k) {
        sherd_element_index e = p->points[k];
        include_point(&p->point_bounds, f->x[e], f->y[e], f->z[e], p->model.radius[e]);
    }
}

// Measures deviations from the poses of the pieces, which are stored in `poses`.
static sherd_status examine_frame(sherd_page_run *p, sherd_page_poses *poses,
                                  const sherd_run_frame *f, sherd_error *error)
{
    int64_t at = f->index - p->job->first;
    p->times[at] = f->time;
    p->fragments[at] = (int32_t)f->stats.fragments;
    sherd_status status = sherd_page_run_pose(p, f, error);
    if (status == SHERD_OK) status = sherd_page_poses_add(poses, p, f, error);
    for (int k = 0; k < p->piece_count && status == SHERD_OK; ++k)
        if (p->pieces[k].surface >= 0) compare_piece(p, &p->pieces[k], poses->now[k]);
    if (status == SHERD_OK) examine_values(p, f);
    if (status == SHERD_OK) examine_obstacles(p, f);
    return status;
}

static void choose_bending(sherd_page_run *p)
{
    p->bend_bounds = EMPTY;
    p->all_bounds = p->point_bounds;
    for (int k = 0; k < p->piece_count; ++k) {
        sherd_page_piece *piece = &p->pieces[k];
        if (piece->surface < 0) continue;
        piece->bends = piece->deviation > RIGID_WITHIN * p->radius;
        include_bounds(&p->all_bounds, &piece->bounds);
        if (piece->bends) include_bounds(&p->bend_bounds, &piece->bounds);
    }
}

static sherd_status read_frames(sherd_page_run *p, sherd_page_poses *poses, sherd_error *error)
{
    const sherd_format_job *job = p->job;
    sherd_status status = SHERD_OK;
    for (int64_t k = job->first; k <= job->last && status == SHERD_OK; ++k) {
        sherd_run_frame *frame = sherd_readable_frame(job->run, k, job->first, job->last, error);
        if (frame == NULL) return error->status;
        status = examine_frame(p, poses, frame, error);
        sherd_run_frame_destroy(frame);
        if (status == SHERD_OK && job->on_frame != NULL)
            job->on_frame(job->context, "frame", k, job->last);
    }
    return status;
}

static sherd_status allocate(sherd_page_run *p, sherd_error *error)
{
    size_t frames = (size_t)p->frame_count + 1;
    p->times = calloc(frames, sizeof *p->times);
    p->fragments = calloc(frames, sizeof *p->fragments);
    p->now = sherd_fragments_create(error);
    if (p->times == NULL || p->fragments == NULL) return sherd_page_out_of_memory(error);
    return p->now != NULL ? SHERD_OK : error->status;
}

static bool has_stresses(const sherd_run_frame *f)
{
    for (int k = 0; k < f->column_count; ++k)
        if (strcmp(f->columns[k].name, "von_mises_pa") == 0) return true;
    return false;
}

sherd_status sherd_page_run_gather(sherd_page_run *p, const sherd_format_job *job,
                                   sherd_error *error)
{
    *p = (sherd_page_run){.job = job,
                          .scene = job->scene,
                          .model = sherd_run_get_model(job->run),
                          .frame_count = job->last - job->first + 1,
                          .point_bounds = EMPTY,
                          .stride = 1};
    sherd_status status = allocate(p, error);
    if (status != SHERD_OK) return status;
    sherd_run_frame *last = sherd_readable_frame(job->run, job->last, job->first, job->last, error);
    if (last == NULL) return error->status;
    p->stress_in_pascals = has_stresses(last);
    status = gather_meshes(p, last, error);
    sherd_run_frame_destroy(last);
    if (status == SHERD_OK) status = gather_sites(p, error);
    sherd_page_poses poses;
    if (status == SHERD_OK) status = sherd_page_poses_begin(&poses, p, error);
    if (status != SHERD_OK) return status;
    status = read_frames(p, &poses, error);
    choose_bending(p);
    sherd_page_poses_end(&poses, p);
    return status;
}

void sherd_page_run_free(sherd_page_run *p)
{
    for (int k = 0; k < p->surface_count && p->posed != NULL; ++k)
        free(p->posed[k]);
    free(p->posed);
    free(p->times);
    free(p->fragments);
    free(p->pieces);
    free(p->points);
    free(p->site);
    free(p->sites);
    sherd_fragments_destroy(p->now);
    sherd_final_fragments_free(&p->last);
    sherd_page_track_free(&p->poses);
    sherd_byte_buffer_free(&p->obstacle_poses);
    sherd_page_file_free(&p->file);
}

// ---------------------------------------------------------------- frames that are stored

int64_t sherd_page_run_stored(const sherd_page_run *p)
{
    return (p->frame_count - 1 + p->stride - 1) / p->stride + 1;
}

int64_t sherd_page_run_stored_frame(const sherd_page_run *p, int64_t index)
{
    SHERD_ASSERT(index >= 0 && index < sherd_page_run_stored(p), "the stored frame exists");
    int64_t frame = index * p->stride;
    return frame < p->frame_count ? frame : p->frame_count - 1;
}
