// How many bonds the smallest section of a body has.
#pragma once

#include "world/world.h"

static inline bool sherd_material_can_break(const sherd_material_def *m)
{
    return sherd_breakage_describe(m->breakage)->breaks && !isinf(m->tensile_strength);
}

// Over all bodies that can break, of the mean number of bonds that a plane across a body's longest side cuts: the sum
// of its bonds' lengths along that, over the side's length. 0: there is no such body.
double sherd_world_smallest_section(const sherd_world *world);
