// With weights w_k, undeformed centres X_k, current centres p_k, rotations R_k and their mean R =
// sum w_k R_k, a vertex X moves to
//
//     x = sum w_k (p_k + (R_k + R) / 2 (X - X_k)).
//
// A single element would move the vertex to p_k + R_k (X - X_k), whose error in a bent body is half
// the curvature times the squared distance: a bump at every element. The mean of the rotations at
// both ends is accurate to second order, as the trapezoidal rule is, so the lattice is visible only
// at third order. Rigid motions are exact.
#include "surface/piece/pose.h"

#include "math/quat.h"
#include "surface/piece/skin.h"

// Row-major.
typedef struct matrix {
    double m[9];
} matrix;

static matrix rotation_matrix(const sherd_surface_pose *now, sherd_element_index e)
{
    double x = now->qx[e], y = now->qy[e], z = now->qz[e], w = now->qw[e];
    return (matrix){{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w),
                     2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w),
                     2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)}};
}

static sherd_vec3 transform(const matrix *a, sherd_vec3 v)
{
    return vec3(a->m[0] * v.x + a->m[1] * v.y + a->m[2] * v.z,
                a->m[3] * v.x + a->m[4] * v.y + a->m[5] * v.z,
                a->m[6] * v.x + a->m[7] * v.y + a->m[8] * v.z);
}

typedef struct blend {
    sherd_vec3 moved; // sum w_k (p_k + R_k arm_k / 2)
    sherd_vec3 arm;   // sum w_k arm_k, arm_k = X - X_k
    matrix rotation;  // sum w_k R_k
} blend;

static void add_bone(blend *b, const pose_source *s, sherd_element_index e, double w, sherd_vec3 X)
{
    sherd_vec3 arm = vec3_sub(X, vec3(s->rest_x[e], s->rest_y[e], s->rest_z[e]));
    matrix R = rotation_matrix(s->now, e);
    sherd_vec3 p = vec3(s->now->x[e], s->now->y[e], s->now->z[e]);
    b->moved = vec3_add_scaled(b->moved, w, vec3_add_scaled(p, 0.5, transform(&R, arm)));
    b->arm = vec3_add_scaled(b->arm, w, arm);
    for (int k = 0; k < 9; ++k)
        b->rotation.m[k] += w * R.m[k];
}

// The first weight is 1 minus the others, rounded to floats: this makes rigid motions exact.
static blend blend_bones(const piece *p, const pose_source *s, size_t v)
{
    const double *from = p->mesh->vertices + 3 * v;
    const float *w = p->weights + SKIN_BONES * v;
    const sherd_element_index *bone = p->bones + SKIN_BONES * v;
    sherd_vec3 X = vec3(from[0], from[1], from[2]);
    blend b = {.moved = {0.0, 0.0, 0.0}};
    double remaining = 1.0;
    for (int k = 1; k < SKIN_BONES; ++k) {
        if (w[k] == 0.0f) continue;
        remaining -= (double)w[k];
        add_bone(&b, s, bone[k], (double)w[k], X);
    }
    add_bone(&b, s, bone[0], remaining, X);
    return b;
}

void sherd_pose_vertices(const piece *p, const pose_source *source, size_t begin, size_t end,
                         double *vertices, double *normals)
{
    for (size_t v = begin; v < end; ++v) {
        blend b = blend_bones(p, source, v);
        sherd_vec3 x = vec3_add_scaled(b.moved, 0.5, transform(&b.rotation, b.arm));
        double *to = vertices + 3 * v;
        to[0] = x.x, to[1] = x.y, to[2] = x.z;
        if (normals == NULL) continue;
        const double *n = p->mesh->normals + 3 * v;
        sherd_vec3 remaining = vec3(n[0], n[1], n[2]);
        sherd_vec3 normal = vec3_normalize(transform(&b.rotation, remaining));
        // If rotations cancel, uses that of the first element.
        if (!(vec3_length(normal) > 0.0)) {
            matrix R = rotation_matrix(source->now, p->bones[SKIN_BONES * v]);
            normal = transform(&R, remaining);
        }
        to = normals + 3 * v;
        to[0] = normal.x, to[1] = normal.y, to[2] = normal.z;
    }
}
