#include "output/export/owned_allocations.h"

#include "base/memory.h"

void *sherd_owned_alloc(sherd_owned *owned, size_t count, size_t item_size)
{
    if (!sherd_grow((void **)&owned->items, &owned->capacity, owned->count + 1, sizeof(void *)))
        return NULL;
    void *item = sherd_alloc(count, item_size);
    if (item != NULL) owned->items[owned->count++] = item;
    return item;
}

void sherd_owned_free(sherd_owned *owned)
{
    for (size_t k = 0; k < owned->count; ++k)
        sherd_free(owned->items[k]);
    sherd_free(owned->items);
    *owned = (sherd_owned){0};
}
