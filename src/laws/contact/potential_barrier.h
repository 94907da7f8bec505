// V = -h s^2 ln(1 - y),  y = s/w,  h = k_r/2, w the width.              [RBDEM] (30) with docs/theory/physics.md 2
//   F = h s (y/(1 - y) - 2 ln(1 - y))
//
// Its tangent h (r^2 + 4 r - 2 ln(1 - y)), r = y/(1 - y), equals the linear spring's at y = 0.248.
// Beyond, it continues as a spring of that stiffness, which explicit steps can integrate. Implicit
// steps may use the true barrier instead, which is infinite at y = 1 (contact_barrier.h).
#pragma once

#include "math/lane.h"

// The root of r^2 + 4 r - 2 ln(1 - y) = 2, and F/(h w) and V/(h w^2) there.
static const real BARRIER_KNEE = (real)0.2481883588112395126,
                  BARRIER_KNEE_FORCE = (real)0.2235331599427734495,
                  BARRIER_KNEE_ENERGY = (real)0.01757187478368863666;

LANE_INLINE lane barrier_scale(lane stiffness, lane modulus, lane radius)
{
    (void)modulus, (void)radius;
    return LANE_HALF * stiffness;
}

// 2 atanh(z) = ln((1 + z)/(1 - z)) for 0 <= z <= 0.142, where the next term is below 3e-17 of it.
LANE_INLINE lane barrier_twice_atanh(lane z)
{
    lane z2 = z * z, sum = lane_of((real)(1.0 / 17.0));
    for (int n = 15; n >= 1; n -= 2)
        sum = lane_fma(sum, z2, lane_of((real)1.0 / (real)n));
    return 2 * z * sum;
}

// -ln(1 - y) for y up to the knee.
LANE_INLINE lane barrier_log(lane y)
{
    return barrier_twice_atanh(y / (2 - y));
}

// The part of s up to the knee.
LANE_INLINE lane barrier_curved(lane w, lane s)
{
    return lane_min(s, BARRIER_KNEE * w);
}

LANE_INLINE lane barrier_force(lane h, lane w, lane s)
{
    lane curved = barrier_curved(w, s), y = curved / w;
    lane force = h * curved * lane_fma(lane_of(2), barrier_log(y), y / (1 - y));
    return lane_fma(2 * h, s - curved, force);
}

LANE_INLINE lane barrier_mean_force(lane h, lane w, lane s)
{
    lane curved = barrier_curved(w, s), beyond = s - curved;
    lane straight = h * beyond * lane_fma(w, lane_of(BARRIER_KNEE_FORCE), beyond);
    lane energy = lane_fma(h * curved * curved, barrier_log(curved / w), straight);
    return energy / lane_max(s, lane_of((real)1e-30)); // 0 at s = 0
}

LANE_INLINE lane barrier_tangent(lane h, lane w, lane s)
{
    lane y = lane_min(s / w, lane_of(BARRIER_KNEE)), ratio = y / (1 - y);
    lane bent = lane_fma(ratio, ratio + 4, 2 * barrier_log(y));
    return h * lane_min(bent, lane_of(2));
}

// With -ln(1 - y) = L, V(b) - V(a) = h ((b^2 - a^2) L(b) + a^2 (L(b) - L(a))), and
// L(b) - L(a) = 2 atanh((y_b - y_a)/(2 - y_a - y_b)).
LANE_INLINE lane barrier_gained(lane h, lane w, lane from, lane to)
{
    lane a = barrier_curved(w, from), b = barrier_curved(w, to), difference = b - a;
    lane log_gained = barrier_twice_atanh(difference / (2 * w - a - b));
    lane curved = lane_fma(difference * (b + a), barrier_log(b / w), a * a * log_gained);
    lane beyond_a = from - a, beyond_b = to - b;
    lane straight =
        (beyond_b - beyond_a) * (lane_of(BARRIER_KNEE_FORCE) * w + (beyond_b + beyond_a));
    return 2 * h * (curved + straight);
}

// Newton's method converges from above: from s^2 for small s, 3 h s^2/w <= F, or from the knee's
// tangent.
static inline double barrier_mean_depth(double h, double w, double force)
{
    double beyond = (force / h - w * BARRIER_KNEE_FORCE) / 2.0;
    if (beyond >= 0.0) {
        double energy = w * w * BARRIER_KNEE_ENERGY + beyond * (w * BARRIER_KNEE_FORCE + beyond);
        return h * energy / force;
    }
    double s = fmin(sqrt(force * w / (3.0 * h)), BARRIER_KNEE * w);
    for (int k = 0; k < 60 && s > 0.0; ++k) {
        double y = s / w, ratio = y / (1.0 - y), log_remaining = log1p(-y);
        double over = h * s * (ratio - 2.0 * log_remaining) - force;
        double next = s - over / (h * (ratio * (ratio + 4.0) - 2.0 * log_remaining));
        if (!(next < s)) break;
        s = next;
    }
    return s > 0.0 ? -h * s * s * log1p(-s / w) / force : 0.0;
}
