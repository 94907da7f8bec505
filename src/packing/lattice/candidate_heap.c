#include "packing/lattice/candidate_heap.h"

#include "base/memory.h"

static bool is_before(const sherd_candidate *a, const sherd_candidate *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->number < b->number);
}

static bool insert(sherd_candidate_heap *offers, sherd_candidate offer)
{
    if (!sherd_grow((void **)&offers->heap, &offers->capacity, offers->count + 1,
                    sizeof *offers->heap))
        return false;
    size_t at = offers->count++;
    for (; at > 0 && is_before(&offer, &offers->heap[(at - 1) / 2]); at = (at - 1) / 2)
        offers->heap[at] = offers->heap[(at - 1) / 2];
    offers->heap[at] = offer;
    return true;
}

bool sherd_candidate_heap_push(sherd_candidate_heap *offers, sherd_candidate offer)
{
    offer.number = offers->made;
    if (!insert(offers, offer)) return false;
    ++offers->made;
    return true;
}

bool sherd_candidate_heap_join(sherd_candidate_heap *offers, const sherd_candidate_heap *later)
{
    for (size_t k = 0; k < later->count; ++k) {
        sherd_candidate offer = later->heap[k];
        offer.number += offers->made;
        if (!insert(offers, offer)) return false;
    }
    offers->made += later->made;
    return true;
}

sherd_candidate sherd_candidate_heap_pop(sherd_candidate_heap *offers)
{
    sherd_candidate *heap = offers->heap, top = heap[0], last = heap[--offers->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= offers->count) break;
        if (child + 1 < offers->count && is_before(&heap[child + 1], &heap[child])) ++child;
        if (!is_before(&heap[child], &last)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

void sherd_candidate_heap_free(sherd_candidate_heap *offers)
{
    sherd_free(offers->heap);
    *offers = (sherd_candidate_heap){0};
}
