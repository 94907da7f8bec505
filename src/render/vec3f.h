// Single-precision vectors and colours for light transport.
#pragma once

#include <math.h>

typedef struct vec3f {
    float x, y, z;
} vec3f;

// The larger of two numbers, or `b` if either is not a number. fmaxf would be a function call,
// because it must return the other number then.
static inline float float_max(float a, float b)
{
    return a > b ? a : b;
}

static inline float float_min(float a, float b)
{
    return a < b ? a : b;
}

// Sine and cosine of 2 pi u, u in [0, 1), with an error of at most 2e-5, from Taylor series of the
// half angle. There are no branches that random numbers would mispredict; a library call would cost
// as much as tracing a short ray.
static inline void sincos_of_turn(float u, float *sine, float *cosine)
{
    // half of the angle, counted from the opposite direction
    float x = 3.14159265f * (u - 0.5f), x2 = x * x;
    float s = x * (1.0f + x2 * (-1.0f / 6 + x2 * (1.0f / 120 + x2 * (-1.0f / 5040 + x2 / 362880))));
    float c =
        1.0f +
        x2 * (-0.5f + x2 * (1.0f / 24 + x2 * (-1.0f / 720 + x2 * (1.0f / 40320 - x2 / 3628800))));
    *sine = -2.0f * s * c;
    *cosine = 2.0f * s * s - 1.0f;
}

static inline vec3f vec3f_make(float x, float y, float z)
{
    return (vec3f){x, y, z};
}

static inline vec3f vec3f_add(vec3f a, vec3f b)
{
    return vec3f_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vec3f vec3f_sub(vec3f a, vec3f b)
{
    return vec3f_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

// Product by component: one colour filters another.
static inline vec3f vec3f_mul(vec3f a, vec3f b)
{
    return vec3f_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline vec3f vec3f_scale(float s, vec3f a)
{
    return vec3f_make(s * a.x, s * a.y, s * a.z);
}

// a + s b
static inline vec3f vec3f_add_scaled(vec3f a, float s, vec3f b)
{
    return vec3f_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

// (1 - t) a + t b
static inline vec3f vec3f_mix(vec3f a, vec3f b, float t)
{
    return vec3f_add_scaled(vec3f_scale(1.0f - t, a), t, b);
}

static inline float vec3f_dot(vec3f a, vec3f b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3f vec3f_cross(vec3f a, vec3f b)
{
    return vec3f_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float vec3f_length(vec3f a)
{
    return sqrtf(vec3f_dot(a, a));
}

// a / |a|, or `fallback` where a has no direction.
static inline vec3f vec3f_unit_or(vec3f a, vec3f fallback)
{
    float squared = vec3f_dot(a, a);
    return squared > 1e-30f ? vec3f_scale(1.0f / sqrtf(squared), a) : fallback;
}

static inline float vec3f_largest(vec3f a)
{
    return float_max(a.x, float_max(a.y, a.z));
}

// Rec. 709 luminance of a linear colour.
static inline float vec3f_luminance(vec3f a)
{
    return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z;
}

// An orthonormal frame whose z axis is a given unit vector.
typedef struct frame3f {
    vec3f x, y, z;
} frame3f;

// Duff et al., Building an orthonormal basis, revisited (2017).
static inline frame3f frame3f_about(vec3f n)
{
    float sign = copysignf(1.0f, n.z);
    float a = -1.0f / (sign + n.z);
    float b = n.x * n.y * a;
    return (frame3f){
        {1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}, n};
}

static inline vec3f frame3f_to_world(frame3f f, vec3f v)
{
    vec3f sum = vec3f_add_scaled(vec3f_scale(v.x, f.x), v.y, f.y);
    return vec3f_add_scaled(sum, v.z, f.z);
}

static inline vec3f frame3f_to_local(frame3f f, vec3f v)
{
    return vec3f_make(vec3f_dot(f.x, v), vec3f_dot(f.y, v), vec3f_dot(f.z, v));
}
