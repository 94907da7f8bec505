// A bundle of allocations that live and die together.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_owned {
    void **items;
    size_t count, capacity;
} sherd_owned;

// Like sherd_alloc, freed by sherd_owned_free.
void *sherd_owned_alloc(sherd_owned *owned, size_t count, size_t item_size);
void sherd_owned_free(sherd_owned *owned);
