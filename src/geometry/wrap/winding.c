#include "geometry/wrap/winding.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

// A cluster of triangles is approximated from this many of its radii on: beta of [Barill et al.
// 2018], Fig. 6.
static const double FAR_RADII = 2.3;

static const double FULL_ANGLE = 4.0 * 3.14159265358979323846;

// Moments of the children's triangles.
typedef struct sherd_winding_moments {
    double x[SHERD_BVH_WIDTH], y[SHERD_BVH_WIDTH], z[SHERD_BVH_WIDTH]; // p [m]
    double far2[SHERD_BVH_WIDTH]; // squared distance from which the approximation is used [m^2]
    double n[3][SHERD_BVH_WIDTH]; // N [m^2]
    double m[6][SHERD_BVH_WIDTH]; // symmetric part of M: xx yy zz, and xy yz zx twice [m^3]
    // v . r is (2 sum_i T_iki + sum_i T_iik) r_k, and s are the sums of T over the permutations of
    // xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz: the coefficients of T's triple product with r.
    double v[3][SHERD_BVH_WIDTH], s[10][SHERD_BVH_WIDTH]; // [m^4]
} moments;

typedef struct span {
    int32_t begin, end; // in bvh.order
} span;

static sherd_vec3 centroid(const sherd_mesh *mesh, int32_t t)
{
    sherd_vec3 sum = vec3_add(mesh_corner(mesh, t, 0), mesh_corner(mesh, t, 1));
    return vec3_scale(1.0 / 3.0, vec3_add(sum, mesh_corner(mesh, t, 2)));
}

// The centroid by area; for triangles without area, the first one's.
static sherd_vec3 find_centre(const sherd_winding *w, span s)
{
    double area = 0.0;
    sherd_vec3 first =
        s.begin < s.end ? centroid(w->mesh, w->bvh->order[s.begin]) : vec3(0.0, 0.0, 0.0);
    sherd_vec3 sum = {0.0, 0.0, 0.0};
    for (int32_t k = s.begin; k < s.end; ++k) {
        int32_t t = w->bvh->order[k];
        double a = vec3_length(mesh_area_vector(w->mesh, t));
        area += a;
        sum = vec3_add_scaled(sum, a, vec3_sub(centroid(w->mesh, t), first));
    }
    return area > 0.0 ? vec3_add_scaled(first, 1.0 / area, sum) : first;
}

// Second moment of one triangle about p: the mean of d d^T over it, times its area vector. xx yy zz
// xy yz zx.
static void second_moments(const sherd_mesh *mesh, int32_t t, sherd_vec3 p, double dd[6])
{
    sherd_vec3 c = vec3_sub(centroid(mesh, t), p);
    sherd_vec3 at[4] = {vec3_scale(3.0, c)};
    for (int k = 0; k < 3; ++k)
        at[k + 1] = vec3_sub(mesh_corner(mesh, t, k), p);
    for (int k = 0; k < 6; ++k)
        dd[k] = 0.0;
    for (int k = 0; k < 4; ++k) {
        sherd_vec3 d = at[k];
        dd[0] += d.x * d.x / 12.0, dd[1] += d.y * d.y / 12.0, dd[2] += d.z * d.z / 12.0;
        dd[3] += d.x * d.y / 12.0, dd[4] += d.y * d.z / 12.0, dd[5] += d.z * d.x / 12.0;
    }
}

static void add_third_moments(moments *to, int k, const double dd[6], sherd_vec3 a)
{
    double trace = dd[0] + dd[1] + dd[2];
    to->v[0][k] += 2.0 * (dd[0] * a.x + dd[3] * a.y + dd[5] * a.z) + trace * a.x;
    to->v[1][k] += 2.0 * (dd[3] * a.x + dd[1] * a.y + dd[4] * a.z) + trace * a.y;
    to->v[2][k] += 2.0 * (dd[5] * a.x + dd[4] * a.y + dd[2] * a.z) + trace * a.z;
    to->s[0][k] += dd[0] * a.x, to->s[1][k] += dd[1] * a.y, to->s[2][k] += dd[2] * a.z;
    to->s[3][k] += dd[0] * a.y + 2.0 * dd[3] * a.x;
    to->s[4][k] += dd[0] * a.z + 2.0 * dd[5] * a.x;
    to->s[5][k] += dd[1] * a.x + 2.0 * dd[3] * a.y;
    to->s[6][k] += dd[1] * a.z + 2.0 * dd[4] * a.y;
    to->s[7][k] += dd[2] * a.x + 2.0 * dd[5] * a.z;
    to->s[8][k] += dd[2] * a.y + 2.0 * dd[4] * a.z;
    to->s[9][k] += 2.0 * (dd[3] * a.z + dd[4] * a.x + dd[5] * a.y);
}

static void set_moments(const sherd_winding *w, moments *to, int k, span s)
{
    sherd_vec3 p = find_centre(w, s), n = {0.0, 0.0, 0.0};
    double m[6] = {0.0}, dd[6], reach2 = 0.0;
    for (int32_t i = s.begin; i < s.end; ++i) {
        int32_t t = w->bvh->order[i];
        sherd_vec3 a = vec3_scale(0.5, mesh_area_vector(w->mesh, t));
        sherd_vec3 d = vec3_sub(centroid(w->mesh, t), p);
        n = vec3_add(n, a);
        m[0] += d.x * a.x, m[1] += d.y * a.y, m[2] += d.z * a.z;
        m[3] += d.x * a.y + d.y * a.x, m[4] += d.y * a.z + d.z * a.y, m[5] += d.z * a.x + d.x * a.z;
        second_moments(w->mesh, t, p, dd);
        add_third_moments(to, k, dd, a);
        for (int c = 0; c < 3; ++c) {
            sherd_vec3 arm = vec3_sub(mesh_corner(w->mesh, t, c), p);
            reach2 = fmax(reach2, vec3_dot(arm, arm));
        }
    }
    to->x[k] = p.x, to->y[k] = p.y, to->z[k] = p.z;
    to->far2[k] = FAR_RADII * FAR_RADII * reach2;
    to->n[0][k] = n.x, to->n[1][k] = n.y, to->n[2][k] = n.z;
    for (int i = 0; i < 6; ++i)
        to->m[i][k] = m[i];
}

// Computes the moments of a node and its subtree; returns its triangles. Depth:
// SHERD_BVH_STACK_SIZE.
static span fill_moments(const sherd_winding *w, int32_t index)
{
    const sherd_bvh_node *node = &w->bvh->nodes[index];
    span whole = {INT32_MAX, 0};
    for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
        if (!(node->low[0][k] <= node->high[0][k])) continue;
        span part = {node->first[k], node->first[k] + node->count[k]};
        if (node->count[k] == 0) part = fill_moments(w, node->first[k]);
        set_moments(w, &w->nodes[index], k, part);
        whole.begin = part.begin < whole.begin ? part.begin : whole.begin;
        whole.end = part.end > whole.end ? part.end : whole.end;
    }
    return whole;
}

bool sherd_winding_init(sherd_winding *winding, const sherd_mesh *mesh, const sherd_bvh *bvh)
{
    *winding = (sherd_winding){mesh, bvh, NULL};
    winding->nodes = sherd_alloc((size_t)bvh->node_count, sizeof *winding->nodes);
    if (winding->nodes == NULL) return false;
    if (mesh->triangle_count > 0) fill_moments(winding, 0);
    return true;
}

void sherd_winding_release(sherd_winding *winding)
{
    sherd_free(winding->nodes);
    *winding = (sherd_winding){0};
}

// tan(solid angle / 2) = a . (b x c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)
//                                                                       [van Oosterom and Strackee 1983]
static double solid_angle(const sherd_mesh *mesh, int32_t t, sherd_vec3 q)
{
    sherd_vec3 a = vec3_sub(mesh_corner(mesh, t, 0), q), b = vec3_sub(mesh_corner(mesh, t, 1), q),
               c = vec3_sub(mesh_corner(mesh, t, 2), q);
    double la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
    double across = vec3_dot(a, vec3_cross(b, c));
    double along = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
    return across == 0.0 ? 0.0 : 2.0 * atan2(across, along);
}

// Approximate solid angle of a child's triangles; r = p - q.
static double solid_angle_far(const moments *m, int k, double x, double y, double z, double r2)
{
    double rm = m->m[0][k] * x * x + m->m[1][k] * y * y + m->m[2][k] * z * z + m->m[3][k] * x * y +
                m->m[4][k] * y * z + m->m[5][k] * z * x;
    double trace = m->m[0][k] + m->m[1][k] + m->m[2][k];
    double along = m->n[0][k] * x + m->n[1][k] * y + m->n[2][k] * z;
    double rv = m->v[0][k] * x + m->v[1][k] * y + m->v[2][k] * z;
    double rrr = x * (m->s[0][k] * x * x + m->s[3][k] * x * y + m->s[4][k] * x * z) +
                 y * (m->s[1][k] * y * y + m->s[5][k] * x * y + m->s[6][k] * y * z) +
                 z * (m->s[2][k] * z * z + m->s[7][k] * x * z + m->s[8][k] * y * z) +
                 m->s[9][k] * x * y * z;
    double second = -1.5 * rv + 7.5 * rrr / r2; // times |r|^-5
    return (along + trace + (second - 3.0 * rm) / r2) / (r2 * sqrt(r2));
}

// Work for a triangle evaluated individually: an arc tangent.
enum { ANGLE_WORK = 6 };

double sherd_winding_number(const sherd_winding *w, sherd_vec3 q, int64_t *work)
{
    double sum = 0.0;
    int32_t stack[SHERD_BVH_STACK_SIZE] = {0};
    int depth = 1;
    int64_t done = 0;
    while (depth > 0) {
        int32_t index = stack[--depth];
        const sherd_bvh_node *node = &w->bvh->nodes[index];
        done += SHERD_BVH_WIDTH;
        const moments *m = &w->nodes[index];
        for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
            if (!(node->low[0][k] <= node->high[0][k])) continue;
            double x = m->x[k] - q.x, y = m->y[k] - q.y, z = m->z[k] - q.z;
            double r2 = x * x + y * y + z * z;
            if (r2 > m->far2[k])
                sum += solid_angle_far(m, k, x, y, z, r2);
            else if (node->count[k] == 0)
                stack[depth++] = node->first[k];
            else
                for (int32_t i = 0; i < node->count[k]; ++i, done += ANGLE_WORK)
                    sum += solid_angle(w->mesh, w->bvh->order[node->first[k] + i], q);
        }
    }
    *work += done;
    return sum / (FULL_ANGLE);
}
