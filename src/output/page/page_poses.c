#include "base/assertion.h"
#include "output/page/page_sections.h"

#include <math.h>
#include <stdlib.h>

static const double STEP = 5e-3;    // of positions [mean radii]
static const double TURN = 1 << 16; // steps of a quaternion's component

enum { COLUMNS = 7 };

double sherd_page_pose_step(const sherd_page_run *page)
{
    return STEP * (page->radius > 0.0 ? page->radius : 1.0);
}

sherd_status sherd_page_poses_begin(sherd_page_poses *poses, const sherd_page_run *p,
                                    sherd_error *error)
{
    size_t count = (size_t)p->piece_count;
    *poses = (sherd_page_poses){.track = {.width = 4, .count = COLUMNS * count},
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
    const double values[COLUMNS] = {pose.position.x / step, pose.position.y / step,
                                    pose.position.z / step, pose.rotation.x * TURN,
                                    pose.rotation.y * TURN, pose.rotation.z * TURN,
                                    pose.rotation.w * TURN};
    for (size_t c = 0; c < COLUMNS; ++c)
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
    SHERD_ASSERT(poses->track.count == COLUMNS * (size_t)p->piece_count,
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
