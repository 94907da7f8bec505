// Positions that a new sphere may take, the cheapest first (a binary heap).
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_candidate {
    double cost;     // the cheapest is taken first,
    uint64_t number; // and of equals the one made first; set by sherd_candidate_heap_push
    sherd_vec3 position;
    sherd_vec3 normal; // outward normal of the surface the position belongs to
} sherd_candidate;

typedef struct sherd_candidate_heap {
    sherd_candidate *heap;
    size_t count, capacity;
    uint64_t made;
} sherd_candidate_heap;

bool sherd_candidate_heap_push(sherd_candidate_heap *candidates,
                               sherd_candidate candidate); // false: memory is short
// Pushes all of `later` as if they had been made after those of `candidates`; none of them was popped.
bool sherd_candidate_heap_join(sherd_candidate_heap *candidates, const sherd_candidate_heap *later);
sherd_candidate sherd_candidate_heap_pop(sherd_candidate_heap *candidates); // there must be one
void sherd_candidate_heap_free(sherd_candidate_heap *candidates);
