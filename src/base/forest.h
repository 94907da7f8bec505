// What hangs together, as trees of indices: root[k] <= k is k's parent, a root its own. Start with root[k] = k.
#pragma once

#include "base/assertion.h"

#include <stdint.h>

// The root of k, the lowest of its tree; paths are halved on the way.
static inline int32_t sherd_find_root(int32_t *root, int32_t k)
{
    SHERD_ASSERT(root[k] <= k, "parents are not above their children");
    while (root[k] != k)
        k = root[k] = root[root[k]];
    return k;
}

// Joins the trees of i and j.
static inline void sherd_join_roots(int32_t *root, int32_t i, int32_t j)
{
    i = sherd_find_root(root, i);
    j = sherd_find_root(root, j);
    root[i < j ? j : i] = i < j ? i : j;
}
