// Candidate positions for a new sphere, as a binary heap with the lowest cost first.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_candidate {
    double cost;     // the lowest is taken first,
    uint64_t number; // of equal ones the first created; set by sherd_candidate_heap_push
    sherd_vec3 position;
    sherd_vec3 normal; // outward normal of the surface the position belongs to
} sherd_candidate;

typedef struct sherd_candidate_heap {
    sherd_candidate *heap;
    size_t count, capacity;
    uint64_t made;
} sherd_candidate_heap;

bool sherd_candidate_heap_push(sherd_candidate_heap *candidates,
                               sherd_candidate candidate); // false if memory runs short
// Pushes all of `later` as if they had been created after those of `candidates`; nothing may have
// been popped.
bool sherd_candidate_heap_join(sherd_candidate_heap *candidates, const sherd_candidate_heap *later);
// The heap must not be empty.
sherd_candidate sherd_candidate_heap_pop(sherd_candidate_heap *candidates);
void sherd_candidate_heap_free(sherd_candidate_heap *candidates);
