// Volume fractions of fragments at points and at grid corners, with elements as fluid particles.
#pragma once

#include "surface/methods/fluid/fluid.h"
#include "surface/methods/march/grid.h"

// f_k and its gradient [1/m] at x for up to four fragments.
void sherd_fluid_fields(const fluid *f, sherd_vec3 x, const sherd_fragment_id *label, int count,
                        double value[], sherd_vec3 gradient[]);

// The same for a vertex's owners: the outside has the constant value `level`, a slit has 0.
void sherd_fluid_owners(const fluid *f, sherd_vec3 x, const sherd_fragment_id *owner, int count,
                        double value[], sherd_vec3 gradient[]);

// Recomputes the owners of a block's corners, see sherd_grid_assign. Returns false when out of
// memory.
bool sherd_fluid_assign(const fluid *f, const grid *g, grid_block *block, const slits *s,
                        double half_slit);

// Sets the level, from 0.1 to 0.7, such that the whole body has its volume, if that is known and
// the kernels are no blobs.
// Returns false when out of memory.
bool sherd_fluid_level(fluid *f, const grid *g, const sherd_parallel *parallel);

// Returns how much of the body's surface near x was created by fracture, for a surface normal n:
// the sum of the nearby broken bonds' directions projected onto n, over the length of the sum; 0
// without broken bonds.
double sherd_fluid_lost(const fluid *f, sherd_fragment_id label, sherd_vec3 x, sherd_vec3 n);
