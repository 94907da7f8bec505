// The state of the bonded-element model. All pointers are borrowed.
#pragma once

#include "models/bonded/storage/adjacency.h"
#include "models/bonded/storage/bond_pass.h"

typedef struct sherd_bonded {
    sherd_elements *elements;
    sherd_bonds *bonds;
    sherd_bond_blocks *blocks;
    const sherd_adjacency *adjacency;
    sherd_bond_block_function *kernel; // computes loads; NULL: the kernel for the widest vectors
    sherd_parallel parallel;
} sherd_bonded;
