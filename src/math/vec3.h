// Three-component vectors. Inline, by value.
#pragma once

#include <sherd/types.h>

#include <math.h>

static inline sherd_vec3 vec3(double x, double y, double z)
{
    return (sherd_vec3){x, y, z};
}

static inline sherd_vec3 vec3_add(sherd_vec3 a, sherd_vec3 b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline sherd_vec3 vec3_sub(sherd_vec3 a, sherd_vec3 b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline sherd_vec3 vec3_scale(double s, sherd_vec3 a)
{
    return vec3(s * a.x, s * a.y, s * a.z);
}

// a + s b
static inline sherd_vec3 vec3_add_scaled(sherd_vec3 a, double s, sherd_vec3 b)
{
    return vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double vec3_dot(sherd_vec3 a, sherd_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline sherd_vec3 vec3_cross(sherd_vec3 a, sherd_vec3 b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec3_length(sherd_vec3 a)
{
    return sqrt(vec3_dot(a, a));
}

static inline double vec3_distance(sherd_vec3 a, sherd_vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

// a / |a|; the zero vector stays zero.
static inline sherd_vec3 vec3_normalize(sherd_vec3 a)
{
    double length = vec3_length(a);
    return length > 0.0 ? vec3_scale(1.0 / length, a) : a;
}

static inline sherd_vec3 vec3_min(sherd_vec3 a, sherd_vec3 b)
{
    return vec3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static inline sherd_vec3 vec3_max(sherd_vec3 a, sherd_vec3 b)
{
    return vec3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static inline int vec3_is_finite(sherd_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

// Some unit vector perpendicular to the unit vector n (Duff et al. 2017, without branches on n).
static inline sherd_vec3 vec3_perpendicular(sherd_vec3 n)
{
    double sign = copysign(1.0, n.z);
    double a = -1.0 / (sign + n.z);
    return vec3(1.0 + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x);
}
