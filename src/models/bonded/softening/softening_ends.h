// The bonds of a list that end at each element, so that threads can add the loads of several
// elements at once: each element gets the loads of its bonds in the order of the list.
#pragma once

#include "points/elements.h"

typedef struct sherd_softening_ends {
    int32_t count;                // elements that softening bonds join
    sherd_element_index *element; // (count); owned
    // start of each element's ends in `end`, and the end of the last (count + 1); owned
    int32_t *first;
    // 2 k for the lower end of bond k, 2 k + 1 for its upper end, sorted by element; owned
    int32_t *end;
    int32_t *index; // index of an element in `element`, or -1 (elements); owned
    size_t capacity, first_capacity, end_capacity, index_count;
} sherd_softening_ends; // initialise with zeros

struct sherd_softening_bond;

// Lists the ends of `count` bonds, in the order of this call. Returns false, and changes nothing,
// if memory runs short.
bool sherd_softening_ends_reserve(sherd_softening_ends *ends, size_t count, size_t elements);
void sherd_softening_ends_find(sherd_softening_ends *ends, const struct sherd_softening_bond *bonds,
                               int32_t count);

void sherd_softening_ends_free(sherd_softening_ends *ends);
size_t sherd_softening_ends_bytes(const sherd_softening_ends *ends);
