// The graph of elements and bonds: the bonds of each element, and connected components.
#pragma once

#include "base/forest.h"
#include "models/bonded/storage/bonds.h"

// The bonds of each element in compressed rows (CSR), built once. Broken bonds stay listed.
typedef struct sherd_adjacency {
    uint32_t *start; // (n + 1)
    uint32_t *bond;  // (2 m) bond indices; sherd_bond_partner gives the other end
} sherd_adjacency;

sherd_status sherd_adjacency_build(sherd_adjacency *adjacency, const sherd_bonds *bonds,
                                   sherd_element_index element_count, sherd_error *error);
void sherd_adjacency_free(sherd_adjacency *adjacency);

static inline sherd_element_index sherd_bond_partner(const sherd_bonds *bonds, int64_t bond,
                                                     sherd_element_index of)
{
    return bonds->i[bond] == of ? bonds->j[bond] : bonds->i[bond];
}

// Connected components of the graph of intact bonds: sets root[k], for each of `count` elements, to
// the lowest element of k's component. The result does not depend on the order of bonds.
void sherd_find_components(const sherd_bonds *bonds, sherd_element_index count,
                           sherd_element_index *root);
