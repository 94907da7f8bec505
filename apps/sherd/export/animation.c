// A run as rigid pieces that move.
//
// Fragments only ever split. So those of the last frame, each with the mesh it has then, make up the
// bodies in every earlier frame as well: before it breaks, a body is shown as its future pieces,
// which touch exactly at rest and move together. Each triangle is stored once, nothing pops, and a
// piece is one object from the first frame to the last. What this can't show is a body that bends
// much before it breaks: meshes per frame (ply, vtk) do.
//
// Cracks that end inside a piece are left closed: a rigid piece would show them from the start.
#include "export/animation.h"

#include "export/animation_objects.h"
#include "files/readable_frame.h"

#include <sherd/file.h>

#include <math.h>

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

static sherd_status pose_fragments(cast *c, const sherd_run_frame *f, int64_t at,
                                   sherd_error *error)
{
    const sherd_run_model *m = &c->model;
    sherd_status status = SHERD_OK;
    for (int k = 0; k < c->fragment_count && status == SHERD_OK; ++k) {
        const fragment_piece *p = &c->fragment_pieces[k];
        sherd_pose pose = sherd_fragments_motion(c->last.fragments, p->slot, m->mass, m->rest_x,
                                                 m->rest_y, m->rest_z, f->x, f->y, f->z)
                              .pose;
        if (p->few > 0) pose.rotation = mean_rotation(f, p);
        status = sherd_glb_set_pose(c->glb, p->piece, at, pose, error);
    }
    return status;
}

static sherd_status pose_granules(cast *c, int body, const sherd_run_frame *f, int64_t at,
                                  sherd_error *error)
{
    const sherd_body_info *info = &c->model.bodies[body];
    sherd_status status = SHERD_OK;
    for (sherd_element_index k = 0; k < info->count && status == SHERD_OK; ++k) {
        sherd_element_index e = info->first + k;
        sherd_pose pose = {{f->x[e], f->y[e], f->z[e]}, element_rotation(f, e)};
        status = sherd_glb_set_pose(c->glb, c->granules[body] + k, at, pose, error);
    }
    return status;
}

static sherd_status pose_frame(cast *c, const sherd_run_frame *f, sherd_error *error)
{
    int64_t at = f->index - c->def->first;
    sherd_status status = pose_fragments(c, f, at, error);
    for (int b = 0; b < c->model.body_count && status == SHERD_OK; ++b)
        if (c->granules[b] >= 0) status = pose_granules(c, b, f, at, error);
    for (int k = 0; k < c->model.obstacle_count && status == SHERD_OK; ++k)
        if (c->obstacles[k] >= 0)
            status = sherd_glb_set_pose(c->glb, c->obstacles[k], at, f->obstacles[k], error);
    return status;
}

static sherd_status pose_frames(cast *c, sherd_error *error)
{
    const animation_def *def = c->def;
    sherd_status status = SHERD_OK;
    for (int64_t k = def->first; k <= def->last && status == SHERD_OK; ++k) {
        sherd_run_frame *frame = readable_frame(def->run, k, def->first, def->last, error);
        if (frame == NULL) return error->status;
        status = pose_frame(c, frame, error);
        sherd_run_frame_destroy(frame);
        if (status == SHERD_OK && def->progress != NULL) def->progress("frame", k, def->last);
    }
    return status;
}

sherd_status animation_write(const animation_def *def, const char *path, animation_summary *summary,
                             sherd_error *error)
{
    cast c;
    sherd_status status = animation_objects_gather(&c, def, error);
    if (status == SHERD_OK) status = pose_frames(&c, error);
    if (status == SHERD_OK) status = sherd_glb_write(c.glb, path, error);
    if (status == SHERD_OK)
        *summary = (animation_summary){animation_objects_piece_count(&c), c.left_out,
                                       sherd_file_size(path)};
    animation_objects_free(&c);
    return status;
}
