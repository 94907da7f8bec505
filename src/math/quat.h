// Unit quaternions as rotations: x, y, z imaginary, w real. Left-multiplied increments are world
// rotation vectors: q <- exp(dtheta / 2) q.                               docs/theory/physics.md 1, [BDEM21]
#pragma once

#include "math/vec3.h"

#include <stdbool.h>

static inline sherd_quat quat(double x, double y, double z, double w)
{
    return (sherd_quat){x, y, z, w};
}

// Hamilton product a b: rotate by b first, then by a.
static inline sherd_quat quat_multiply(sherd_quat a, sherd_quat b)
{
    return quat(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

static inline sherd_quat quat_conjugate(sherd_quat q)
{
    return quat(-q.x, -q.y, -q.z, q.w);
}

static inline double quat_dot(sherd_quat a, sherd_quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static inline sherd_quat quat_normalize(sherd_quat q)
{
    double length = sqrt(quat_dot(q, q));
    if (!(length > 0.0)) return SHERD_QUAT_IDENTITY;
    double s = 1.0 / length;
    return quat(s * q.x, s * q.y, s * q.z, s * q.w);
}

// q
// is 1 up to the rounding of a time step.
static inline bool quat_is_unit(sherd_quat q)
{
    return fabs(quat_dot(q, q) - 1.0) < 1e-6;
}

// Also true of NaN, which a step may produce and checks report.
static inline bool quat_is_unit_or_nan(sherd_quat q)
{
    return !(fabs(quat_dot(q, q) - 1.0) >= 1e-6);
}

// R(q) v for a unit quaternion.
static inline sherd_vec3 quat_rotate(sherd_quat q, sherd_vec3 v)
{
    sherd_vec3 u = vec3(q.x, q.y, q.z);
    sherd_vec3 t = vec3_scale(2.0, vec3_cross(u, v));
    return vec3_add(vec3_add_scaled(v, q.w, t), vec3_cross(u, t));
}

// R(q)^T v for a unit quaternion.
static inline sherd_vec3 quat_rotate_inverse(sherd_quat q, sherd_vec3 v)
{
    return quat_rotate(quat_conjugate(q), v);
}

// Rotation by the vector theta: angle |theta| about its direction.
static inline sherd_quat quat_from_rotation_vector(sherd_vec3 theta)
{
    double h2 = 0.25 * vec3_dot(theta, theta), s, c; // half the angle, squared
    if (h2 < 0.01) { // rotations of a step, by the series of sin(h)/h and cos, to rounding of 1
        s = 1.0 - h2 / 6.0 * (1.0 - h2 / 20.0 * (1.0 - h2 / 42.0 * (1.0 - h2 / 72.0)));
        c = 1.0 - h2 / 2.0 * (1.0 - h2 / 12.0 * (1.0 - h2 / 30.0 * (1.0 - h2 / 56.0)));
    } else {
        double h = sqrt(h2);
        s = sin(h) / h;
        c = cos(h);
    }
    return quat(0.5 * s * theta.x, 0.5 * s * theta.y, 0.5 * s * theta.z, c);
}

// asin(s) / s for s^2 < 0.0025, by its series, to rounding of 1.
static inline double quat_asin_over(double s2)
{
    static const double C[] = {1.0 / 6.0,      3.0 / 40.0,      15.0 / 336.0,
                               105.0 / 3456.0, 945.0 / 42240.0, 10395.0 / 599040.0};
    double sum = C[5];
    for (int k = 4; k >= 0; --k)
        sum = C[k] + s2 * sum;
    return 1.0 + s2 * sum;
}

// Rotation vector of a unit quaternion, with an angle in [0, pi].
static inline sherd_vec3 quat_to_rotation_vector(sherd_quat q)
{
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    sherd_vec3 u = vec3(sign * q.x, sign * q.y, sign * q.z);
    double s2 = vec3_dot(u, u);
    if (s2 < 0.0025) return vec3_scale(2.0 * quat_asin_over(s2), u);
    double s = sqrt(s2);
    return vec3_scale(2.0 * atan2(s, sign * q.w) / s, u);
}

// The rotation that turns unit vector a into unit vector b along the shortest arc.
static inline sherd_quat quat_between(sherd_vec3 a, sherd_vec3 b)
{
    double c = vec3_dot(a, b);
    if (c < -1.0 + 1e-12) {
        sherd_vec3 axis = vec3_perpendicular(a);
        return quat(axis.x, axis.y, axis.z, 0.0);
    }
    sherd_vec3 axis = vec3_cross(a, b);
    return quat_normalize(quat(axis.x, axis.y, axis.z, 1.0 + c));
}

// x_world = R x_local + p, and back.
static inline sherd_vec3 pose_apply(sherd_pose pose, sherd_vec3 local)
{
    return vec3_add(pose.position, quat_rotate(pose.rotation, local));
}

static inline sherd_vec3 pose_apply_inverse(sherd_pose pose, sherd_vec3 world)
{
    return quat_rotate_inverse(pose.rotation, vec3_sub(world, pose.position));
}
