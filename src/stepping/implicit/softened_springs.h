// Stiffness of softening bonds in the linear system: the matrix-free product excludes them like
// broken ones.
#pragma once

#include "base/sort.h"
#include "linear/linear_system.h"
#include "models/bonded/storage/bond_blocks.h"

typedef struct sherd_softened_springs {
    sherd_contact_spring *springs, *sorted; // owned
    sherd_sort_pair *order, *scratch;       // owned
    size_t capacity, sorted_capacity, order_capacity, scratch_capacity;
} sherd_softened_springs; // valid when zero-filled

// Bonds that soften, at elements' present state.
typedef struct sherd_softened_parts {
    const sherd_elements *elements;
    const sherd_bonds *bonds;
    const sherd_softening_list *list;
} sherd_softened_parts;

// Adds them to the system's springs, which are moved to `set`.
sherd_status sherd_softened_springs_add(sherd_softened_springs *set,
                                        const sherd_softened_parts *parts,
                                        sherd_linear_system *system, sherd_error *error);

void sherd_softened_springs_free(sherd_softened_springs *set);
size_t sherd_softened_springs_bytes(const sherd_softened_springs *set);
