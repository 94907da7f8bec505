// The range of a load between two readings of a probe: smallest and largest values of each
// component, which means over many steps hide.
#pragma once

#include "math/vec3.h"

#include <sherd/loads.h>

#include <math.h>
#include <stdbool.h>

typedef struct sherd_load {
    sherd_vec3 force, torque; // [N], [N m]
} sherd_load;

// From `least` to `largest`; empty if a component of `least` exceeds that of `largest`.
typedef struct sherd_load_range {
    sherd_load least, largest;
} sherd_load_range;

// Largest deviations of a load above and below its mean over a step, or over the steps of a span,
// by component; >= 0.
typedef struct sherd_load_swing {
    sherd_load up, down;
} sherd_load_swing;

static inline sherd_vec3 vec3_least(sherd_vec3 a, sherd_vec3 b)
{
    return (sherd_vec3){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}

static inline sherd_vec3 vec3_largest(sherd_vec3 a, sherd_vec3 b)
{
    return (sherd_vec3){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
}

static inline sherd_load sherd_load_least(sherd_load a, sherd_load b)
{
    return (sherd_load){vec3_least(a.force, b.force), vec3_least(a.torque, b.torque)};
}

static inline sherd_load sherd_load_largest(sherd_load a, sherd_load b)
{
    return (sherd_load){vec3_largest(a.force, b.force), vec3_largest(a.torque, b.torque)};
}

// a + factor b.
static inline sherd_load sherd_load_add_scaled(sherd_load a, double factor, sherd_load b)
{
    return (sherd_load){vec3_add_scaled(a.force, factor, b.force),
                        vec3_add_scaled(a.torque, factor, b.torque)};
}

static inline sherd_load_range sherd_load_range_empty(void)
{
    static const sherd_vec3 most = {INFINITY, INFINITY, INFINITY},
                            least = {-INFINITY, -INFINITY, -INFINITY};
    return (sherd_load_range){{most, most}, {least, least}};
}

static inline bool sherd_load_range_is_empty(const sherd_load_range *range)
{
    return !(range->least.force.x <= range->largest.force.x);
}

// Adds a step, or a span of steps, of this mean load.
static inline void sherd_load_range_add(sherd_load_range *range, sherd_load mean,
                                        const sherd_load_swing *swing)
{
    sherd_load low = sherd_load_add_scaled(mean, -1.0, swing->down);
    sherd_load high = sherd_load_add_scaled(mean, 1.0, swing->up);
    range->least = sherd_load_least(range->least, low);
    range->largest = sherd_load_largest(range->largest, high);
}

// 0 if nothing was added.
static inline void sherd_load_range_read(const sherd_load_range *range,
                                         sherd_probe_reading *reading)
{
    if (sherd_load_range_is_empty(range)) return;
    reading->force_least = range->least.force, reading->force_largest = range->largest.force;
    reading->torque_least = range->least.torque, reading->torque_largest = range->largest.torque;
}

// The swing of all added loads about their mean.
static inline sherd_load_swing sherd_load_range_swing(const sherd_load_range *range,
                                                      sherd_load mean)
{
    if (sherd_load_range_is_empty(range)) return (sherd_load_swing){0};
    sherd_load none = {0};
    sherd_load up = sherd_load_add_scaled(range->largest, -1.0, mean);
    sherd_load down = sherd_load_add_scaled(mean, -1.0, range->least);
    return (sherd_load_swing){sherd_load_largest(up, none), sherd_load_largest(down, none)};
}

// The swing of a step with these loads at its ends.
static inline sherd_load_swing sherd_load_swing_of_ends(sherd_load start, sherd_load end,
                                                        sherd_load mean)
{
    sherd_load_range ends = {sherd_load_least(start, end), sherd_load_largest(start, end)};
    return sherd_load_range_swing(&ends, mean);
}

// Regions of elements are stepped separately, so that no time has the loads of all: the peak of one
// is added to the means of the others. This is exact if one region touches, and misses peaks that
// coincide.
static inline void sherd_load_swing_widen(sherd_load_swing *to, const sherd_load_swing *from)
{
    to->up = sherd_load_largest(to->up, from->up);
    to->down = sherd_load_largest(to->down, from->down);
}
