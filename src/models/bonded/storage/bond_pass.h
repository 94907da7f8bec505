// One pass over all bonds: the kernel of every block, then the loads on halos.
#pragma once

#include "models/bonded/kernels/bond_kernel.h"
#include "models/bonded/storage/bond_blocks.h"
#include "points/point_advance.h"

// Sets elements->f*, t* to the bonds' loads and fills newly_broken and damping_power of every
// block. With `advance`, the elements of a block advance just before its bonds are computed, while
// they are in the cache; NULL: they have advanced already. `kernel` must match the blocks'
// precision; NULL: the kernel for the widest vectors of this machine.
void sherd_bonds_apply(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                       sherd_elements *elements, const sherd_parallel *parallel,
                       sherd_bond_block_function *kernel, const sherd_point_advance *advance);

// The kernel for double arithmetic on blocks arranged for mixed precision.
sherd_bond_block_function *sherd_bond_wide_kernel(void);

// In double arithmetic on blocks arranged for mixed precision: sets elements->f*, t* as
// sherd_bonds_apply does, and marks the bonds that exceed their strengths, until the next pass.
typedef struct sherd_bond_potential {
    double energy;        // elastic energy of all intact bonds [J]
    double damping_power; // at the elements' velocities [W]
    double stress_ratio;  // largest ratio of stress to strength
    int64_t over; // bonds that exceed their strengths, without those that are softening already
} sherd_bond_potential;

sherd_bond_potential sherd_bonds_evaluate(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                                          sherd_elements *elements, const sherd_parallel *parallel);

// Damage of bonds by overstress, in explicit steps (laws/breakage/overstress.h).

// Whether the bond's material has a rate_time, so that it breaks only after some time.
bool sherd_bond_takes_time(const sherd_bonds *bonds, int64_t bond);

// Call after the pass at the end of a step of length dt. Damage of the bonds which the pass found
// over their strength grows; those which do not break yet are removed from the pass's list of
// broken bonds.
void sherd_overstress_advance(sherd_bond_blocks *blocks, sherd_bonds *bonds,
                              const sherd_elements *elements, const sherd_parallel *parallel,
                              double dt);
