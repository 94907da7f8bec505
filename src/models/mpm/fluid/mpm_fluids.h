// Fluids among the bodies of the grid: which bodies are fluids, what share of FLIP they have, and
// how dense they are.
//
// The part of a point's velocity that the grid does not see lets a fluid flow around what is a few
// cells wide: without it APIC is as viscous as honey there, and a heavy cube of four cells sinks no
// farther than its own height. A fluid that meets no body needs none of it; noise of its pressure
// then grows into currents along the walls of a tank, which leave it in the end. So a fluid has its
// share of FLIP where it meets bodies, as far as it is stirred: by the mean square of its
// velocities about their mean, against CALM times that of a fall by a cell.
#pragma once

#include "base/parallel.h"
#include "models/mpm/kernels/mpm_kernels.h"

// Coupled bodies (coupling/mpm_coupling.h) are no fluids, whatever they are made of.
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

// Sets what part of its share of FLIP each of `count` bodies has in this step, 0 to 1: bodies that
// are no fluids have all.
void sherd_mpm_find_fluid_flip(sherd_mpm_grid *grid, const sherd_mpm_points *points,
                               const sherd_solid *solids, sherd_vec3 gravity,
                               const sherd_parallel *parallel, size_t count, double *part);
