// How much fluids remember. What points keep beside the grid lets a fluid flow around what is a few cells wide: without it APIC
// is as viscous as honey there, and a heavy cube of four cells sinks no farther than its own height. Without bodies in them
// fluids need none of it; noise of their pressure then grows into currents along the walls of a tank, which leave it in
// the end. So a fluid remembers where it meets bodies, as far as it is stirred: by the mean square of its velocities about
// their mean, against CALM times that of a fall by a cell.
#pragma once

#include "base/parallel.h"
#include "laws/solid/solid_laws.h"
#include "models/mpm/grid/mpm_grid.h"

// Sets the share of its memory that each of `count` bodies has in this step, 0 to 1: of others than fluids 1.
void sherd_mpm_find_fluid_flip(sherd_mpm_grid *grid, const sherd_mpm_points *points,
                               const sherd_solid *solids, sherd_vec3 gravity,
                               const sherd_parallel *parallel, size_t count, double *memory);
