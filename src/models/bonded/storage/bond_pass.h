// One pass over all bonds: every block's kernel, then the loads on halos.
#pragma once

#include "models/bonded/kernels/bond_kernel.h"
#include "models/bonded/storage/bond_blocks.h"
#include "points/point_advance.h"

// Sets elements->f*, t* to the bonds' loads and fills every block's newly_broken and damping_power.
// With `advance`, a block's elements advance just before its bonds are computed, while they are in
// the cache; NULL: they are there already.
// Blocks are computed by `kernel`, made for their precision; NULL: by that for the widest vectors of this machine.
void sherd_bonds_apply(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                       sherd_elements *elements, const sherd_parallel *parallel,
                       sherd_bond_block_function *kernel, const sherd_point_advance *advance);

// The kernel for double arithmetic on blocks arranged for mixed precision.
sherd_bond_block_function *sherd_bond_wide_kernel(void);

// In double arithmetic on blocks arranged for mixed precision: sets elements->f*, t* as sherd_bonds_apply does,
// and marks bonds that are over their strengths, until the next pass.
typedef struct sherd_bond_potential {
    double energy;        // of all intact bonds [J]
    double damping_power; // with the elements' velocities [W]
    double stress_ratio;  // largest of stress over strength
    int64_t over; // bonds that are over their strengths, of those that are not softening yet
} sherd_bond_potential;

sherd_bond_potential sherd_bonds_evaluate(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                                          sherd_elements *elements, const sherd_parallel *parallel);
