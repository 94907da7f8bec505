// Stable sorting of 64-bit keys with a 32-bit payload (least-significant-digit radix sort).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sherd_sort_pair {
    uint64_t key;
    uint32_t value;
} sherd_sort_pair;

// Sorts by key, preserving the order of equal keys. Returns false, with the pairs unchanged, if
// scratch memory runs short.
bool sherd_sort_pairs(sherd_sort_pair *pairs, size_t count);
// The same for what is sorted seldom and beside much else: scratch memory is given back at once.
bool sherd_sort_pairs_once(sherd_sort_pair *pairs, size_t count);
// The same with scratch memory of the caller (count).
void sherd_sort_pairs_with(sherd_sort_pair *pairs, size_t count, sherd_sort_pair *scratch);
// The index of the first pair whose key is at least `key`; `count` if there is none. Pairs are
// sorted.
size_t sherd_sort_place(const sherd_sort_pair *pairs, size_t count, uint64_t key);
// The value of the first pair with this key; -1 if there is none. Values are below 2^31.
int32_t sherd_sort_find(const sherd_sort_pair *pairs, size_t count, uint64_t key);
