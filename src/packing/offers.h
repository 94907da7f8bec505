// Places offered to a new sphere, the cheapest first (a binary heap).
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_offer {
    double cost;     // the cheapest is taken first,
    uint64_t number; // and of equals the one made first; set by sherd_offers_push
    sherd_vec3 place;
    sherd_vec3 normal; // outward normal of the surface the place belongs to
} sherd_offer;

typedef struct sherd_offers {
    sherd_offer *heap;
    size_t count, capacity;
    uint64_t made;
} sherd_offers;

bool sherd_offers_push(sherd_offers *offers, sherd_offer offer); // false: memory is short
// Pushes all of `later` as if they had been made after those of `offers`; none of them was popped.
bool sherd_offers_join(sherd_offers *offers, const sherd_offers *later);
sherd_offer sherd_offers_pop(sherd_offers *offers); // there must be one
void sherd_offers_free(sherd_offers *offers);
