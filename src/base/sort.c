#include "base/sort.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/pages/pages.h"

#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, PASSES = 64 / DIGIT_BITS };

__attribute__((unused)) static bool keys_ascend(const sherd_sort_pair *pairs, size_t count)
{
    for (size_t k = 1; k < count; ++k)
        if (pairs[k - 1].key > pairs[k].key) return false;
    return true;
}

void sherd_sort_pairs_with(sherd_sort_pair *pairs, size_t count, sherd_sort_pair *scratch)
{
    sherd_sort_pair *from = pairs, *to = scratch;
    for (int pass = 0; pass < PASSES; ++pass) {
        int shift = pass * DIGIT_BITS;
        size_t start[DIGITS + 1] = {0};
        for (size_t k = 0; k < count; ++k)
            ++start[((from[k].key >> shift) & (DIGITS - 1)) + 1];
        if (count > 0 && start[((from[0].key >> shift) & (DIGITS - 1)) + 1] == count)
            continue; // all keys share this digit
        for (int d = 0; d < DIGITS; ++d)
            start[d + 1] += start[d];
        for (size_t k = 0; k < count; ++k)
            to[start[(from[k].key >> shift) & (DIGITS - 1)]++] = from[k];
        sherd_sort_pair *swap = from;
        from = to;
        to = swap;
    }
    if (from != pairs) memcpy(pairs, from, count * sizeof *pairs);
    SHERD_ASSERT(keys_ascend(pairs, count), "keys ascend once they are sorted");
}

bool sherd_sort_pairs(sherd_sort_pair *pairs, size_t count)
{
    sherd_sort_pair *scratch = sherd_alloc(count, sizeof *scratch);
    if (scratch == NULL) return false;
    sherd_sort_pairs_with(pairs, count, scratch);
    sherd_free(scratch);
    return true;
}

bool sherd_sort_pairs_once(sherd_sort_pair *pairs, size_t count)
{
    sherd_sort_pair *scratch = sherd_alloc_pages(count, sizeof *scratch);
    if (scratch == NULL) return false;
    sherd_sort_pairs_with(pairs, count, scratch);
    sherd_free_pages(scratch);
    return true;
}

size_t sherd_sort_place(const sherd_sort_pair *pairs, size_t count, uint64_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pairs[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    SHERD_ASSERT((low == count || pairs[low].key >= key) && (low == 0 || pairs[low - 1].key < key),
                 "keys ascend where they are searched");
    return low;
}

int32_t sherd_sort_find(const sherd_sort_pair *pairs, size_t count, uint64_t key)
{
    size_t at = sherd_sort_place(pairs, count, key);
    return at < count && pairs[at].key == key ? (int32_t)pairs[at].value : -1;
}
