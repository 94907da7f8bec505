// Filling the blocks of a pair list. Pairs keep their histories.
#pragma once

#include "contact/explicit/pair_list.h"

// The present elements, and how the new list is to be made from the last one.
typedef struct sherd_pair_source {
    sherd_element_index element_count;
    const sherd_points *points; // not needed to restore
    const double *margin;       // pairs whose ends both have an infinite margin stay listed
    bool at_rest_overlap;       // initial overlaps become rest overlaps
    const sherd_parallel *parallel;
} sherd_pair_source;

// Replaces the list by the pairs of a search.
sherd_status sherd_pair_list_replace(sherd_pair_list *list, const sherd_pair_search *search,
                                     const sherd_pair_source *source, sherd_error *error);

// Adds pairs, which may be listed already. Sorts them.
sherd_status sherd_pair_list_add(sherd_pair_list *list, sherd_pair *pairs, size_t count,
                                 const sherd_pair_source *source, sherd_error *error);

// Replaces the list by pairs sorted by (i, j) with their histories, to restore a state. history[k]
// belongs to the k-th pair that has a state (SHERD_PAIR_REMEMBERS, SHERD_PAIR_TOUCHES,
// SHERD_PAIR_FACES).
sherd_status sherd_pair_list_restore(sherd_pair_list *list, const sherd_pair *pairs,
                                     const uint8_t *state, const sherd_contact_history *history,
                                     size_t count, const sherd_pair_source *source,
                                     sherd_error *error);

// Scratch memory, one per thread, owned by the list.
void sherd_pair_builders_free(sherd_pair_list *list);
size_t sherd_pair_builders_bytes(const sherd_pair_list *list);
