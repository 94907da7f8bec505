// Neighbour lists of touching spheres, those that bodies bond by default.
#pragma once

#include "packing/lattice/lattice.h"

#include <stdint.h>

// No more fit around a sphere: 12 of its size touch it, a few overlap.
enum { SHERD_TOUCH_MOST = 16 };

typedef struct sherd_touch_list {
    size_t count;   // centres
    int32_t *other; // those in contact with it (count x SHERD_TOUCH_MOST)
    uint8_t *found; // their number (count)
} sherd_touch_list;

// For spheres of one radius. Returns false if memory runs short.
bool sherd_touch_list_init(sherd_touch_list *list, const sherd_centres *centres, double radius,
                           int threads);
void sherd_touch_list_free(sherd_touch_list *list);

// The spheres that touch n; found[n] is their number.
static inline const int32_t *sherd_touching(const sherd_touch_list *list, size_t n)
{
    return list->other + n * SHERD_TOUCH_MOST;
}
