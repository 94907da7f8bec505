#include "packing/lattice/candidate_heap.h"

#include "base/assertion.h"
#include "base/memory.h"

static bool is_before(const sherd_candidate *a, const sherd_candidate *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->number < b->number);
}

static bool insert(sherd_candidate_heap *candidates, sherd_candidate candidate)
{
    if (!sherd_grow((void **)&candidates->heap, &candidates->capacity, candidates->count + 1,
                    sizeof *candidates->heap))
        return false;
    size_t at = candidates->count++;
    for (; at > 0 && is_before(&candidate, &candidates->heap[(at - 1) / 2]); at = (at - 1) / 2)
        candidates->heap[at] = candidates->heap[(at - 1) / 2];
    candidates->heap[at] = candidate;
    return true;
}

bool sherd_candidate_heap_push(sherd_candidate_heap *candidates, sherd_candidate candidate)
{
    candidate.number = candidates->made;
    if (!insert(candidates, candidate)) return false;
    ++candidates->made;
    return true;
}

bool sherd_candidate_heap_join(sherd_candidate_heap *candidates, const sherd_candidate_heap *later)
{
    for (size_t k = 0; k < later->count; ++k) {
        sherd_candidate candidate = later->heap[k];
        candidate.number += candidates->made;
        if (!insert(candidates, candidate)) return false;
    }
    candidates->made += later->made;
    return true;
}

sherd_candidate sherd_candidate_heap_pop(sherd_candidate_heap *candidates)
{
    SHERD_ASSERT(candidates->count > 0, "only what was pushed is popped");
    sherd_candidate *heap = candidates->heap, top = heap[0], last = heap[--candidates->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= candidates->count) break;
        if (child + 1 < candidates->count && is_before(&heap[child + 1], &heap[child])) ++child;
        if (!is_before(&heap[child], &last)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    SHERD_ASSERT(candidates->count == 0 || !is_before(&heap[0], &top), "the best comes first");
    return top;
}

void sherd_candidate_heap_free(sherd_candidate_heap *candidates)
{
    sherd_free(candidates->heap);
    *candidates = (sherd_candidate_heap){0};
}
