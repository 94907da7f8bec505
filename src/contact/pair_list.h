// Pairs of elements that may touch, with what each remembers. The order of the list fixes the order
// of all sums: pairs of the last search sorted by (i, j), then those added since.
#pragma once

#include "contact/contact_law.h"
#include "contact/pair_search.h"

enum {
    SHERD_PAIR_REMEMBERS = 1, // its history is not empty
    SHERD_PAIR_TOUCHES = 2,   // it exerted a force in the last evaluation
};

// Force of a pair, as scattered: F on i, -F on j; torques -arm_i (n x F) and -arm_j (n x F).
typedef struct sherd_pair_force {
    sherd_vec3 force;    // on i [N]
    sherd_vec3 twist;    // n x F [N]
    double arm_i, arm_j; // from each centre to the contact point [m]
} sherd_pair_force;

typedef struct sherd_pair_arrays {
    size_t capacity;
    sherd_pair *pairs;
    sherd_contact_history *history;
    uint8_t *state;
    sherd_pair_force *force; // valid where SHERD_PAIR_TOUCHES
} sherd_pair_arrays;

typedef struct sherd_pair_list {
    size_t count;
    size_t sorted; // so many at the front are sorted by (i, j)
    sherd_pair_arrays now;
    sherd_pair_arrays spare; // of the list before, for the next one
    // Which pairs each element is part of, for the first `incident_pairs` of them: 2 pair + end.
    size_t incident_pairs, incident_start_capacity, incident_capacity;
    uint32_t *incident_start; // (n + 1)
    uint32_t *incident;       // (2 incident_pairs)
} sherd_pair_list;

void sherd_pair_list_free(sherd_pair_list *list);
size_t sherd_pair_list_bytes(const sherd_pair_list *list);

// Takes over the pairs of a search, keeping the histories of those that were there before.
sherd_status sherd_pair_list_replace(sherd_pair_list *list, const sherd_pair_buffer *found,
                                     const sherd_parallel *parallel, sherd_error *error);
// Adds an empty pair at the end.
sherd_status sherd_pair_list_append(sherd_pair_list *list, sherd_pair pair, sherd_error *error);
// Makes room for `count` pairs, all contents undefined: for restoring.
sherd_status sherd_pair_list_resize(sherd_pair_list *list, size_t count, sherd_error *error);

// Index among the sorted pairs, or -1.
int64_t sherd_pair_list_find(const sherd_pair_list *list, sherd_pair pair);

// Brings the incidence up to date with the list.
sherd_status sherd_pair_list_index(sherd_pair_list *list, sherd_element_index element_count,
                                   sherd_error *error);
