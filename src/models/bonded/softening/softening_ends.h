// Which bonds of a list act on which elements, so that threads may add loads of several elements at once: each gets
// those of its bonds in the order of the list.
#pragma once

#include "points/elements.h"

typedef struct sherd_softening_ends {
    int32_t count;                // elements that softening bonds join
    sherd_element_index *element; // (count); owned
    int32_t *first; // of an element's ends in `end`; one more says where the last one's end; owned
    int32_t *end;   // 2 k of bond k's lower one and 2 k + 1 of its upper one, by elements; owned
    int32_t *place; // of an element in these, -1: none (elements); owned
    size_t capacity, first_capacity, end_capacity, place_count;
} sherd_softening_ends; // starts from zeros

struct sherd_softening_bond;

// Of `count` bonds, which have the order that they get here. False: short of memory, and nothing has changed.
bool sherd_softening_ends_reserve(sherd_softening_ends *ends, size_t count, size_t elements);
void sherd_softening_ends_find(sherd_softening_ends *ends, const struct sherd_softening_bond *bonds,
                               int32_t count);

void sherd_softening_ends_free(sherd_softening_ends *ends);
size_t sherd_softening_ends_bytes(const sherd_softening_ends *ends);
