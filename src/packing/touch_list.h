// Which centres touch which: what bodies bond by default.
#pragma once

#include "packing/lattice/lattice.h"

#include <stdint.h>

// More do not fit around a sphere: 12 of its size touch it, a few overlap.
enum { SHERD_TOUCH_MOST = 16 };

typedef struct sherd_touch_list {
    size_t count;   // centres
    int32_t *other; // those that touch it (count x SHERD_TOUCH_MOST)
    uint8_t *found; // how many there are (count)
} sherd_touch_list;

// Of spheres of one radius. False when memory is short.
bool sherd_touch_list_init(sherd_touch_list *list, const sherd_centres *centres, double radius,
                           int threads);
void sherd_touch_list_free(sherd_touch_list *list);

// Those that touch centre n, found[n] of them.
static inline const int32_t *sherd_touching(const sherd_touch_list *list, size_t n)
{
    return list->other + n * SHERD_TOUCH_MOST;
}
