#include "output/formats/piece_motion.h"

#include "surface/fragments.h"

#include <math.h>

static sherd_quat element_rotation(const sherd_run_frame *f, sherd_element_index e)
{
    return (sherd_quat){f->qx[e], f->qy[e], f->qz[e], f->qw[e]};
}

// Mean orientation of a few elements, which differ little. q and -q are the same rotation, so all
// get the sign of the first.
static sherd_quat mean_rotation(const sherd_run_frame *f, const sherd_piece_motion *p)
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

sherd_piece_motion sherd_piece_motion_make(const sherd_fragment_view *last, int32_t slot)
{
    const sherd_fragment *f = &last->fragments[slot];
    sherd_piece_motion made = {.slot = slot};
    for (sherd_element_index e = f->first; f->count <= FEW && made.few < f->count; ++e)
        if (last->element_slot[e] == slot) made.elements[made.few++] = e;
    return made;
}

sherd_pose sherd_piece_motion_pose(const sherd_piece_motion *p, const sherd_fragments *last,
                                   const sherd_run_model *m, const sherd_run_frame *f)
{
    sherd_pose pose = sherd_fragments_motion(last, p->slot, m->mass, m->rest_x, m->rest_y,
                                             m->rest_z, f->x, f->y, f->z)
                          .pose;
    if (p->few > 0) pose.rotation = mean_rotation(f, p);
    return pose;
}
