// Which bodies of the grid flow. Coupled bodies (mpm_coupling.h) do not, whatever they are made of.
#pragma once

#include "laws/solid/solid_laws.h"
#include "models/mpm/grid/mpm_grid.h"

static inline bool sherd_mpm_is_fluid(const sherd_mpm_grid *grid, const sherd_solid *solids,
                                      uint32_t body)
{
    bool coupled = grid->first_coupled > 0 && body >= grid->first_coupled;
    return !coupled && solids[body].kind == SHERD_SOLID_FLUID;
}

// What has a surface of its own: neither a fluid nor sand.
static inline bool sherd_mpm_bears_shear(const sherd_mpm_grid *grid, const sherd_solid *solids,
                                         uint32_t body)
{
    bool coupled = grid->first_coupled > 0 && body >= grid->first_coupled;
    sherd_solid_kind kind = solids[body].kind;
    return coupled || (kind != SHERD_SOLID_FLUID && kind != SHERD_SOLID_SAND);
}
