// Forces of all pairs of elements in a list.
#pragma once

#include "contact/contact_tables.h"
#include "contact/pair_list.h"

// Sums over contacts of one evaluation.
typedef struct sherd_contact_sums {
    double stored, damped, slid; // [J]
    int64_t touching;
} sherd_contact_sums;

void sherd_contact_sums_add(sherd_contact_sums *total, const sherd_contact_sums *part);

typedef struct sherd_pair_job {
    sherd_pair_list *list;
    sherd_elements *elements;
    const sherd_contact_pairing *pairings; // (materials x materials)
    int material_count;
    double dt;
    sherd_contact_sums *chunk_sums; // room for sherd_pair_chunks(list)
    const sherd_parallel *parallel;
} sherd_pair_job;

size_t sherd_pair_chunks(const sherd_pair_list *list);

// Evaluates every pair: list->force and histories. Returns the sums, added in a fixed order.
sherd_contact_sums sherd_pair_evaluate(const sherd_pair_job *job);

// Indexes the list by element when it is long and has changed enough to need it.
sherd_status sherd_pair_prepare_scatter(sherd_pair_list *list, sherd_element_index element_count,
                                        sherd_error *error);

// Adds the forces to the elements. Few are added pair by pair; many by element, in parallel: the
// order of additions on each element is that of the list either way.
void sherd_pair_scatter(const sherd_pair_job *job, int64_t touching);
