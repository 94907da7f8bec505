// What intact bonds join.
#pragma once

#include "bond/bonds.h"

// root[k] becomes the first element of k's component, for `count` elements: the same whatever the order of bonds.
void sherd_find_components(const sherd_bonds *bonds, sherd_element_index count,
                           sherd_element_index *root);

// The root of k in a forest in which root[k] <= k, whose paths it halves on the way.
static inline sherd_element_index sherd_find_root(sherd_element_index *root, sherd_element_index k)
{
    while (root[k] != k) {
        root[k] = root[root[k]];
        k = root[k];
    }
    return k;
}

// Joins the trees of i and j.
static inline void sherd_join_roots(sherd_element_index *root, sherd_element_index i,
                                    sherd_element_index j)
{
    i = sherd_find_root(root, i);
    j = sherd_find_root(root, j);
    if (i < j)
        root[j] = i;
    else
        root[i] = j;
}
