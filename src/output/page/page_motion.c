#include "base/assertion.h"
#include "output/dust/dust_grains.h"
#include "output/page/page_sections.h"

#include "output/files/readable_frame.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------- pieces, points and what bends

typedef struct moving {
    sherd_page_run *page;
    size_t bend_count; // number of vertices of deforming pieces
    sherd_page_track poses, bends, points, speeds, stresses;
} moving;

// Resolution of positions, finer than visible; a finer one would store noise. [mean radii]
static const double STEP = 0.02;

double sherd_page_place_step(const sherd_page_run *p, const sherd_bounds *b)
{
    double extent = fmax(b->high.x - b->low.x, fmax(b->high.y - b->low.y, b->high.z - b->low.z));
    double step = fmax(STEP * p->radius, extent / 65535.0);
    return step > 0.0 && isfinite(step) ? step : 1.0;
}

static uint16_t units(double length, double step)
{
    return (uint16_t)lround(fmin(fmax(length / step, 0.0), 65535.0));
}

static void put_place(uint16_t *to, size_t stride, const double x[3], const sherd_bounds *b,
                      double step)
{
    to[0] = units(x[0] - b->low.x, step);
    to[stride] = units(x[1] - b->low.y, step);
    to[2 * stride] = units(x[2] - b->low.z, step);
}

// Square roots resolve small values better.
static uint8_t level(double value, double top)
{
    double part = top > 0.0 && isfinite(value) ? value / top : 0.0;
    return (uint8_t)lround(255.0 * sqrt(fmin(fmax(part, 0.0), 1.0)));
}

static void put_bends(moving *m, uint16_t *to)
{
    const sherd_page_run *p = m->page;
    double step = sherd_page_place_step(p, &p->bend_bounds);
    for (int k = 0; k < p->piece_count; ++k) {
        if (!p->pieces[k].bends) continue;
        int surface = p->pieces[k].surface;
        int32_t count = sherd_surface_get_piece(p->last.surface, surface).mesh->vertex_count;
        for (int32_t v = 0; v < count; ++v)
            put_place(to++, m->bend_count, p->posed[surface] + 3 * (size_t)v, &p->bend_bounds,
                      step);
    }
}

static void put_points(const sherd_page_run *p, const sherd_run_frame *f, uint16_t *to)
{
    double step = sherd_page_place_step(p, &p->point_bounds);
    for (sherd_element_index k = 0; k < p->point_count; ++k) {
        sherd_element_index e = p->points[k];
        const double x[3] = {f->x[e], f->y[e], f->z[e]};
        put_place(to++, (size_t)p->point_count, x, &p->point_bounds, step);
    }
}

static void put_values(const sherd_page_run *p, const sherd_run_frame *f, uint8_t *speed,
                       uint8_t *stress)
{
    const float *from = sherd_page_run_stress(p, f);
    for (int32_t k = 0; k < p->site_count; ++k) {
        sherd_element_index e = p->sites[k];
        speed[k] = level(hypot(hypot(f->vx[e], f->vy[e]), f->vz[e]), p->top_speed);
        stress[k] = from != NULL ? level((double)from[e], p->top_stress) : 0;
    }
}

static sherd_status add_frame(moving *m, const sherd_run_frame *f, sherd_error *error)
{
    sherd_page_run *p = m->page;
    uint16_t *bends = sherd_page_track_frame(&m->bends);
    uint16_t *points = sherd_page_track_frame(&m->points);
    uint8_t *speeds = sherd_page_track_frame(&m->speeds);
    uint8_t *stresses = sherd_page_track_frame(&m->stresses);
    size_t frame = (size_t)(f->index - p->job->first);
    if (!sherd_page_track_copy(&m->poses, &p->poses, frame) || bends == NULL || points == NULL ||
        speeds == NULL || stresses == NULL)
        return sherd_page_out_of_memory(error);
    sherd_status status = m->bend_count > 0 ? sherd_page_run_pose(p, f, error) : SHERD_OK;
    if (status != SHERD_OK) return status;
    if (m->bend_count > 0) put_bends(m, bends);
    put_points(p, f, points);
    put_values(p, f, speeds, stresses);
    return SHERD_OK;
}

static sherd_status add_frames(moving *m, sherd_error *error)
{
    const sherd_format_job *job = m->page->job;
    sherd_status status = SHERD_OK;
    for (int64_t k = 0; k < sherd_page_run_stored(m->page) && status == SHERD_OK; ++k) {
        int64_t index = job->first + sherd_page_run_stored_frame(m->page, k);
        sherd_run_frame *frame =
            sherd_readable_frame(job->run, index, job->first, job->last, error);
        if (frame == NULL) return error->status;
        status = add_frame(m, frame, error);
        sherd_run_frame_destroy(frame);
    }
    return status;
}

sherd_status sherd_page_moving(sherd_page_run *p, sherd_error *error)
{
    moving m = {.page = p};
    for (int k = 0; k < p->piece_count; ++k)
        if (p->pieces[k].bends)
            m.bend_count += (size_t)sherd_surface_get_piece(p->last.surface, p->pieces[k].surface)
                                .mesh->vertex_count;
    size_t sites = (size_t)p->site_count;
    m.poses = (sherd_page_track){.width = p->poses.width, .count = p->poses.count};
    m.bends = (sherd_page_track){.width = 2, .count = 3 * m.bend_count};
    m.points = (sherd_page_track){.width = 2, .count = 3 * (size_t)p->point_count};
    m.speeds = (sherd_page_track){.width = 1, .count = sites};
    m.stresses = (sherd_page_track){.width = 1, .count = sites};
    sherd_status status = add_frames(&m, error);
    if (status == SHERD_OK) {
        sherd_page_file_add_track(&p->file, "poses", &m.poses);
        sherd_page_file_add_track(&p->file, "bends", &m.bends);
        sherd_page_file_add_track(&p->file, "points", &m.points);
        sherd_page_file_add_track(&p->file, "speeds", &m.speeds);
        sherd_page_file_add_track(&p->file, "stresses", &m.stresses);
    }
    sherd_page_track_free(&m.poses);
    sherd_page_track_free(&m.bends), sherd_page_track_free(&m.points);
    sherd_page_track_free(&m.speeds), sherd_page_track_free(&m.stresses);
    return status == SHERD_OK && p->file.failed ? sherd_page_out_of_memory(error) : status;
}

// ---------------------------------------------------------------- dust

enum { GRAIN_COLUMNS = 10 };

static void put_grain(float *to, size_t count, const dust_grain *g)
{
    const sherd_vec3 x = g->launch.position, v = g->launch.velocity;
    const double values[GRAIN_COLUMNS] = {
        g->time, g->landing, g->launch.relaxation, g->radius, x.x, x.y, x.z, v.x, v.y, v.z};
    for (size_t c = 0; c < GRAIN_COLUMNS; ++c)
        to[c * count] = (float)values[c];
}

static bool put_grains(sherd_page_run *p, const dust_grain *grains, size_t count)
{
    float *columns = calloc(GRAIN_COLUMNS * count + 1, sizeof *columns);
    int32_t *body = calloc(count + 1, sizeof *body);
    sherd_byte_buffer all = {0};
    bool ok = columns != NULL && body != NULL;
    for (size_t k = 0; ok && k < count; ++k) {
        put_grain(columns + k, count, &grains[k]);
        body[k] = grains[k].body;
    }
    if (ok) {
        sherd_byte_buffer_append(&all, columns, GRAIN_COLUMNS * count * sizeof *columns);
        sherd_byte_buffer_append(&all, body, count * sizeof *body);
        ok = !all.failed;
    }
    if (ok)
        sherd_page_file_add(&p->file, "dust", all.size > 0 ? all.bytes : (const void *)"",
                            all.size);
    sherd_byte_buffer_free(&all);
    free(columns);
    free(body);
    return ok;
}

sherd_status sherd_page_dust(sherd_page_run *p, sherd_error *error)
{
    sherd_dust *dust = sherd_dust_create(p->scene, &p->model, error);
    if (dust == NULL && error->status != SHERD_OK) return error->status;
    sherd_status status = sherd_dust_catch_up(dust, p->job->run, p->job->last + 1, error);
    int64_t count;
    const dust_grain *grains = sherd_dust_list(dust, &count);
    if (status == SHERD_OK && !put_grains(p, grains, (size_t)count))
        status = sherd_page_out_of_memory(error);
    sherd_dust_destroy(dust);
    return status;
}

// ---------------------------------------------------------------- poses

static const double POSE_STEP = 5e-3; // of positions [mean radii]
static const double TURN = 1 << 16;   // steps of a quaternion's component

enum { POSE_COLUMNS = 7 };

double sherd_page_pose_step(const sherd_page_run *page)
{
    return POSE_STEP * (page->radius > 0.0 ? page->radius : 1.0);
}

sherd_status sherd_page_poses_begin(sherd_page_poses *poses, const sherd_page_run *p,
                                    sherd_error *error)
{
    size_t count = (size_t)p->piece_count;
    *poses = (sherd_page_poses){.track = {.width = 4, .count = POSE_COLUMNS * count},
                                .step = sherd_page_pose_step(p),
                                .now = calloc(count + 1, sizeof *poses->now),
                                .label = calloc(count + 1, sizeof *poses->label)};
    if (poses->now != NULL && poses->label != NULL) return SHERD_OK;
    free(poses->now);
    free(poses->label);
    return sherd_page_out_of_memory(error);
}

static int32_t whole(double value)
{
    return (int32_t)lround(fmin(fmax(value, -1e9), 1e9));
}

// q and -q are the same rotation: choose the sign nearer to the previous frame's.
static sherd_quat on_the_side_of(sherd_quat q, sherd_quat before)
{
    double along = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w;
    double sign = along < 0.0 ? -1.0 : 1.0;
    return (sherd_quat){sign * q.x, sign * q.y, sign * q.z, sign * q.w};
}

static void put_pose(int32_t *to, size_t count, sherd_pose pose, double step)
{
    const double values[POSE_COLUMNS] = {pose.position.x / step, pose.position.y / step,
                                         pose.position.z / step, pose.rotation.x * TURN,
                                         pose.rotation.y * TURN, pose.rotation.z * TURN,
                                         pose.rotation.w * TURN};
    for (size_t c = 0; c < POSE_COLUMNS; ++c)
        to[c * count] = whole(values[c]);
}

static void follow_label(sherd_page_poses *poses, int k, sherd_fragment_id label, int64_t frame)
{
    if (poses->label[k] == label) return;
    poses->label[k] = label;
    const int32_t change[3] = {(int32_t)frame, k, label};
    sherd_byte_buffer_append(&poses->changes, change, sizeof change);
}

sherd_status sherd_page_poses_add(sherd_page_poses *poses, sherd_page_run *p,
                                  const sherd_run_frame *f, sherd_error *error)
{
    SHERD_ASSERT(f->index >= p->job->first && f->index <= p->job->last,
                 "poses are of frames that the page shows");
    SHERD_ASSERT(poses->track.count == POSE_COLUMNS * (size_t)p->piece_count,
                 "every piece has its columns");
    int32_t *to = sherd_page_track_frame(&poses->track);
    if (to == NULL) return sherd_page_out_of_memory(error);
    const sherd_fragment *fragments = sherd_fragments_view(p->last.fragments).fragments;
    for (int k = 0; k < p->piece_count; ++k) {
        sherd_page_piece *piece = &p->pieces[k];
        follow_label(poses, k, f->element_fragment[fragments[k].first], f->index - p->job->first);
        sherd_pose pose = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
        if (piece->surface >= 0)
            pose = sherd_piece_motion_pose(&piece->motion, p->last.fragments, &p->model, f);
        pose.rotation = piece->turned = on_the_side_of(pose.rotation, piece->turned);
        poses->now[k] = pose;
        put_pose(to + k, (size_t)p->piece_count, pose, poses->step);
    }
    return SHERD_OK;
}

void sherd_page_poses_end(sherd_page_poses *poses, sherd_page_run *p)
{
    p->poses = poses->track;
    if (poses->changes.failed) p->file.failed = true;
    sherd_page_file_add(&p->file, "labels",
                        poses->changes.size > 0 ? poses->changes.bytes : (const void *)"",
                        poses->changes.size);
    sherd_byte_buffer_free(&poses->changes);
    free(poses->now);
    free(poses->label);
}
