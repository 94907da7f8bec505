// Which bodies of the grid flow. Guests (mpm_guests.h) do not, whatever they are made of.
#pragma once

#include "laws/solid/solid_laws.h"
#include "models/mpm/mpm_grid.h"

static inline bool sherd_mpm_is_fluid(const sherd_mpm_grid *grid, const sherd_solid *solids,
                                      uint32_t body)
{
    bool guest = grid->first_guest > 0 && body >= grid->first_guest;
    return !guest && solids[body].kind == SHERD_SOLID_FLUID;
}

// What has a surface of its own: neither a fluid nor sand.
static inline bool sherd_mpm_bears_shear(const sherd_mpm_grid *grid, const sherd_solid *solids,
                                         uint32_t body)
{
    bool guest = grid->first_guest > 0 && body >= grid->first_guest;
    sherd_solid_kind kind = solids[body].kind;
    return guest || (kind != SHERD_SOLID_FLUID && kind != SHERD_SOLID_SAND);
}
