// Unit quaternions as rotations: x, y, z imaginary, w real. Left-multiplied increments are world
// rotation vectors: q <- exp(dtheta / 2) q.                                    PHYSICS 1, [BDEM21]
#pragma once

#include "math/vec3.h"

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
    double angle = vec3_length(theta);
    double half = 0.5 * angle;
    // sin(h)/h by its series near 0 (error below h^4 / 120 relative).
    double s = angle > 1e-4 ? sin(half) / angle : 0.5 * (1.0 - half * half / 6.0);
    return quat(s * theta.x, s * theta.y, s * theta.z, cos(half));
}

// Rotation vector of a unit quaternion, with an angle in [0, pi].
static inline sherd_vec3 quat_to_rotation_vector(sherd_quat q)
{
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    sherd_vec3 u = vec3(sign * q.x, sign * q.y, sign * q.z);
    double s = vec3_length(u);
    double scale = s > 1e-8 ? 2.0 * atan2(s, sign * q.w) / s : 2.0;
    return vec3_scale(scale, u);
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
