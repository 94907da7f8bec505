// Contact forces of all pairs of elements in a list.
#pragma once

#include "contact/explicit/pair_kernel.h"

typedef struct sherd_pair_kernel {
    sherd_pair_find_function *find;
    sherd_pair_evaluate_function *evaluate;
} sherd_pair_kernel;

typedef struct sherd_pair_job {
    sherd_pair_list *list;
    sherd_points *points;
    sherd_pair_law law;
    const sherd_pair_kernel *kernel; // NULL: the one for the widest vectors of this machine
    sherd_pair_scratch *scratch;     // by thread
    const sherd_parallel *parallel;
} sherd_pair_job;

// Allocates scratch for a number of threads, large enough for every block of the list. Zero-filled
// is valid.
typedef struct sherd_pair_workspace {
    sherd_pair_scratch *scratch;
    int count;
} sherd_pair_workspace;

sherd_status sherd_pair_workspace_prepare(sherd_pair_workspace *workspace,
                                          const sherd_pair_list *list,
                                          const sherd_parallel *parallel, sherd_error *error);
void sherd_pair_workspace_free(sherd_pair_workspace *workspace);
size_t sherd_pair_workspace_bytes(const sherd_pair_workspace *workspace);

// Evaluates every pair and adds its load to the elements. Returns the sums, added in a fixed order.
sherd_contact_sums sherd_pair_apply(const sherd_pair_job *job);
