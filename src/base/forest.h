// Disjoint sets (union-find) as trees of indices: root[k] <= k is the parent of k; roots are their
// own parents. Start with root[k] = k.
#pragma once

#include "base/assertion.h"

#include <stdint.h>

// The root of k, the lowest index of its set, with path halving.
static inline int32_t sherd_find_root(int32_t *root, int32_t k)
{
    SHERD_ASSERT(root[k] <= k, "parents are not above their children");
    while (root[k] != k)
        k = root[k] = root[root[k]];
    return k;
}

// Merges the sets of i and j.
static inline void sherd_join_roots(int32_t *root, int32_t i, int32_t j)
{
    i = sherd_find_root(root, i);
    j = sherd_find_root(root, j);
    root[i < j ? j : i] = i < j ? i : j;
}
