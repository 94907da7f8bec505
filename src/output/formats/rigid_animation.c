// Exports a run as moving rigid pieces.
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

#include "output/files/readable_frame.h"
#include "output/formats/animation_dust.h"
#include "output/formats/animation_objects.h"

#include <sherd/file.h>

static sherd_status pose_fragments(sherd_animation_objects *c, const sherd_run_frame *f, int64_t at,
                                   sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < c->fragment_count && status == SHERD_OK; ++k) {
        const sherd_fragment_piece *p = &c->fragment_pieces[k];
        sherd_pose pose = sherd_piece_motion_pose(&p->motion, c->last.fragments, &c->model, f);
        status = sherd_animation_set_pose(c->animation, p->piece, at, pose, error);
    }
    return status;
}

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
    sherd_status status = pose_fragments(c, f, at, error);
    for (int b = 0; b < c->model.body_count && status == SHERD_OK; ++b)
        if (c->granules[b] >= 0) status = pose_granules(c, b, f, at, error);
    for (int k = 0; k < c->model.obstacle_count && status == SHERD_OK; ++k)
        if (c->obstacles[k] >= 0)
            status =
                sherd_animation_set_pose(c->animation, c->obstacles[k], at, f->obstacles[k], error);
    return status;
}

static sherd_status pose_frames(sherd_animation_objects *c, sherd_dust *dust, sherd_error *error)
{
    const sherd_format_job *job = c->job;
    sherd_status status = SHERD_OK;
    for (int64_t k = job->first; k <= job->last && status == SHERD_OK; ++k) {
        sherd_run_frame *frame = sherd_readable_frame(job->run, k, job->first, job->last, error);
        if (frame == NULL) return error->status;
        status = pose_frame(c, frame, error);
        if (status == SHERD_OK) status = sherd_animation_dust_frame(c, dust, frame, error);
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
        job->result->size = sherd_file_size(job->path);
    }
    sherd_animation_objects_free(&c);
    return status;
}
