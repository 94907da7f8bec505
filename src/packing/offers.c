#include "packing/offers.h"

#include "base/memory.h"

static bool is_before(const sherd_offer *a, const sherd_offer *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->number < b->number);
}

static bool insert(sherd_offers *offers, sherd_offer offer)
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

bool sherd_offers_push(sherd_offers *offers, sherd_offer offer)
{
    offer.number = offers->made;
    if (!insert(offers, offer)) return false;
    ++offers->made;
    return true;
}

bool sherd_offers_join(sherd_offers *offers, const sherd_offers *later)
{
    for (size_t k = 0; k < later->count; ++k) {
        sherd_offer offer = later->heap[k];
        offer.number += offers->made;
        if (!insert(offers, offer)) return false;
    }
    offers->made += later->made;
    return true;
}

sherd_offer sherd_offers_pop(sherd_offers *offers)
{
    sherd_offer *heap = offers->heap, top = heap[0], last = heap[--offers->count];
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

void sherd_offers_free(sherd_offers *offers)
{
    sherd_free(offers->heap);
    *offers = (sherd_offers){0};
}
