// A spring: what it holds, and what becomes of it as both sides move.
#pragma once

#include "models/mpm/touch/mpm_touch_find.h"

double sherd_mpm_touch_stored(const sherd_mpm_touch *touch); // [J]
// On the sample's body [N].
void sherd_mpm_touch_force(const sherd_mpm_touch *touch, double force[3]);
// The spring follows a way of the sample's body over the partner, along the normal and across it; what it loses is added to
// touch->lost.
void sherd_mpm_touch_follow(sherd_mpm_touch *touch, const double along[3], const double across[3]);
// Of a force along a way of the sample's body, at the places inside and on the surface.
double sherd_mpm_touch_along(const sherd_mpm_touch *touch, const double force[3],
                             const double inside[3], const double along[3]);

// Whether the sample is a guest's ball or edge, and whether one side is a wall.
static inline bool sherd_mpm_touch_is_ball(const sherd_mpm_touch *touch)
{
    return touch->sample >> 63 != 0;
}

static inline bool sherd_mpm_touch_is_wall(const sherd_mpm_touch *touch)
{
    return touch->wall >= 0;
}
