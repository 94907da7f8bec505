// Which bonds each element has: compressed rows, built once. Broken bonds stay listed.
#pragma once

#include "bond/bonds.h"

typedef struct sherd_adjacency {
    int64_t *start;               // (n + 1)
    sherd_element_index *partner; // (2 m) the other end
    int64_t *bond;                // (2 m) index of the bond
} sherd_adjacency;

sherd_status sherd_adjacency_build(sherd_adjacency *adjacency, const sherd_bonds *bonds,
                                   sherd_element_index element_count, sherd_error *error);
void sherd_adjacency_free(sherd_adjacency *adjacency);
