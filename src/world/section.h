// Number of bonds in the smallest cross-section of a body.
#pragma once

#include "world/world.h"

static inline bool sherd_material_can_break(const sherd_material_def *m)
{
    return sherd_breakage_describe(m->breakage)->breaks && !isinf(m->tensile_strength);
}

// Over all bodies that can break, the smallest mean number of bonds that a plane across the body's
// longest side cuts: the sum of its bonds' lengths along that side, over its length. 0: there is no
// such body.
double sherd_world_smallest_section(const sherd_world *world);
