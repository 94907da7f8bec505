// What the model of bonded elements works on. All of it is borrowed.
#pragma once

#include "models/bonded/storage/adjacency.h"
#include "models/bonded/storage/bond_pass.h"

typedef struct sherd_bonded {
    sherd_elements *elements;
    sherd_bonds *bonds;
    sherd_bond_blocks *blocks;
    const sherd_adjacency *adjacency;
    sherd_bond_block_function *kernel; // of loads; NULL: the widest
    sherd_parallel parallel;
} sherd_bonded;
