// The rigid motion that best maps a fragment's undeformed positions to its current ones.
//
// Horn 1987: the rotation that maximises  sum m (x - c) . R (X - C)  is the unit quaternion that
// maximises  q^T N q  for a symmetric 4x4 matrix N built from the covariance A = sum m (x-c)(X-C)^T.
// For a pair or a straight row of elements the rotation about its axis is undetermined; then the
// smallest rotation from the undeformed axis to the current one is used. A single element does not
// rotate.
#include "math/quat.h"
#include "math/symmetric_eigen.h"
#include "surface/fragments.h"

// A second eigenvalue that differs from the largest by less than this fraction counts as equal:
// rounding in the sums is about 1e-14, elastic bending of a straight row opens a gap well above
// 1e-9.
static const double SAME_EIGENVALUE = 1e-9;

typedef struct covariance {
    sherd_vec3 rest_center, center;
    double a[3][3];      // a[r][c] = sum m x_r X_c  [kg m^2]
    sherd_vec3 rest_arm; // offset of the element farthest from the undeformed centre [m]
    double scale;        // sum m (|x|^2 + |X|^2) / 2  [kg m^2]
} covariance;

// Horn 1987, section 4.A, with S_xx = sum m X_x x_x etc. (undeformed first, current second).
static void horn_matrix(const double a[3][3], double n[4][4])
{
    double xx = a[0][0], xy = a[1][0], xz = a[2][0];
    double yx = a[0][1], yy = a[1][1], yz = a[2][1];
    double zx = a[0][2], zy = a[1][2], zz = a[2][2];
    double rows[4][4] = {{xx + yy + zz, yz - zy, zx - xz, xy - yx},
                         {yz - zy, xx - yy - zz, xy + yx, zx + xz},
                         {zx - xz, xy + yx, -xx + yy - zz, yz + zy},
                         {xy - yx, zx + xz, yz + zy, -xx - yy + zz}};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            n[i][j] = rows[i][j];
}

static sherd_quat shortest_arc(const covariance *c)
{
    sherd_vec3 u = c->rest_arm;
    sherd_vec3 v = vec3(c->a[0][0] * u.x + c->a[0][1] * u.y + c->a[0][2] * u.z,
                        c->a[1][0] * u.x + c->a[1][1] * u.y + c->a[1][2] * u.z,
                        c->a[2][0] * u.x + c->a[2][1] * u.y + c->a[2][2] * u.z);
    if (!(vec3_length(v) > 1e-12 * c->scale * vec3_length(u))) return SHERD_QUAT_IDENTITY;
    return quat_between(vec3_normalize(u), vec3_normalize(v));
}

static sherd_quat best_rotation(const covariance *c)
{
    if (!(c->scale > 0.0) || !isfinite(c->scale)) return SHERD_QUAT_IDENTITY;
    double n[4][4], v[4][4], value[4];
    horn_matrix(c->a, n);
    sherd_symmetric_eigen(4, &n[0][0], value, &v[0][0]);
    int best = 0;
    for (int k = 1; k < 4; ++k)
        if (value[k] > value[best]) best = k;
    for (int k = 0; k < 4; ++k)
        if (k != best && value[best] - value[k] <= SAME_EIGENVALUE * c->scale)
            return shortest_arc(c);
    double sign = v[0][best] < 0.0 ? -1.0 : 1.0;
    return quat_normalize(
        quat(sign * v[1][best], sign * v[2][best], sign * v[3][best], sign * v[0][best]));
}

static sherd_vec3 weighted_center(const sherd_element_index *member, sherd_element_index count,
                                  const double *mass, const double *x, const double *y,
                                  const double *z)
{
    // Relative to the first member, so that a rigid translation is exact to rounding of positions.
    sherd_vec3 origin = vec3(x[member[0]], y[member[0]], z[member[0]]);
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    double total = 0.0;
    for (sherd_element_index k = 0; k < count; ++k) {
        sherd_element_index e = member[k];
        sum = vec3_add_scaled(sum, mass[e], vec3_sub(vec3(x[e], y[e], z[e]), origin));
        total += mass[e];
    }
    return vec3_add_scaled(origin, 1.0 / total, sum);
}

sherd_fragment_motion sherd_fragments_motion(const sherd_fragments *f, int32_t slot,
                                             const double *mass, const double *rest_x,
                                             const double *rest_y, const double *rest_z,
                                             const double *x, const double *y, const double *z)
{
    const sherd_element_index *member = f->member + f->start[slot];
    sherd_element_index count = f->start[slot + 1] - f->start[slot];
    covariance c = {.rest_center = weighted_center(member, count, mass, rest_x, rest_y, rest_z),
                    .center = weighted_center(member, count, mass, x, y, z)};
    double farthest = 0.0;
    for (sherd_element_index k = 0; k < count && count > 1; ++k) {
        sherd_element_index e = member[k];
        sherd_vec3 reference = vec3_sub(vec3(rest_x[e], rest_y[e], rest_z[e]), c.rest_center);
        sherd_vec3 now = vec3_sub(vec3(x[e], y[e], z[e]), c.center);
        double r[3] = {reference.x, reference.y, reference.z}, w[3] = {now.x, now.y, now.z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                c.a[i][j] += mass[e] * w[i] * r[j];
        c.scale += 0.5 * mass[e] * (vec3_dot(reference, reference) + vec3_dot(now, now));
        if (vec3_dot(reference, reference) > farthest) {
            farthest = vec3_dot(reference, reference);
            c.rest_arm = reference;
        }
    }
    return (sherd_fragment_motion){.rest_center = c.rest_center,
                                   .pose = {.position = c.center, .rotation = best_rotation(&c)}};
}
