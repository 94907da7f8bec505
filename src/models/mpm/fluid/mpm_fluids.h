// Which bodies are fluids, their FLIP fraction, and their density.
//
// The part of a point's velocity that the grid does not see lets a fluid flow around bodies that
// are a few cells wide. Without it APIC is far too viscous there: a heavy cube of four cells sinks
// no farther than its own height. A fluid that touches no body does not need it; noise of its
// pressure would then grow into currents along the walls of a tank. So a fluid has its FLIP
// fraction where it touches bodies, in proportion to how strongly it is stirred: the mean square of
// its velocities about their mean, over CALM times that of a fall by one cell.
//
// Sand at rest has none either: what points remember, contact at walls and opening stir up again, so that grains moved by some
// mm/s for ever, crept into walls and swelled. The square is that of its liveliest page, so that all sand has the usual filter
// as long as some of it flows.
#pragma once

#include "base/parallel.h"
#include "models/mpm/kernels/mpm_kernels.h"

// Whether a body is a fluid. Coupled bodies (coupling/mpm_coupling.h) never are, whatever their
// material.
static inline bool sherd_mpm_is_fluid(const sherd_mpm_grid *grid, const sherd_solid *solids,
                                      uint32_t body)
{
    bool coupled = grid->first_coupled > 0 && body >= grid->first_coupled;
    return !coupled && solids[body].kind == SHERD_SOLID_FLUID;
}

// Whether a body has a surface of its own: it is neither a fluid nor sand.
static inline bool sherd_mpm_bears_shear(const sherd_mpm_grid *grid, const sherd_solid *solids,
                                         uint32_t body)
{
    bool coupled = grid->first_coupled > 0 && body >= grid->first_coupled;
    sherd_solid_kind kind = solids[body].kind;
    return coupled || (kind != SHERD_SOLID_FLUID && kind != SHERD_SOLID_SAND);
}

bool sherd_mpm_has_fluids(const sherd_mpm_grid *grid, const sherd_solid *solids);

// Sets the factor, 0 to 1, on the FLIP fraction of fluids and on the filter time of sand among `count` bodies in this step. It
// is 1 for all others.
void sherd_mpm_find_flow_flip(sherd_mpm_grid *grid, const sherd_mpm_points *points,
                              const sherd_solid *solids, sherd_vec3 gravity,
                              const sherd_parallel *parallel, size_t count, double *part);
