// Binary search in ascending numbers.
#pragma once

#include "base/assertion.h"

#include <stddef.h>
#include <stdint.h>

// The index of the first number that is at least `value`; `count` if there is none.
static inline size_t sherd_lower_bound(const int32_t *ascending, size_t count, int32_t value)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ascending[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    SHERD_ASSERT((low == count || ascending[low] >= value) &&
                     (low == 0 || ascending[low - 1] < value),
                 "numbers ascend where they are searched");
    return low;
}
