#include "models/bonded/components.h"

#include "base/assertion.h"

void sherd_find_components(const sherd_bonds *bonds, sherd_element_index count,
                           sherd_element_index *root)
{
    SHERD_ASSERT(sherd_indices_below(bonds->i, (size_t)bonds->count, count) &&
                     sherd_indices_below(bonds->j, (size_t)bonds->count, count),
                 "bonds join elements of the list");
    for (sherd_element_index k = 0; k < count; ++k)
        root[k] = k;
    for (int64_t b = 0; b < bonds->count; ++b)
        if (!bonds->broken[b]) sherd_join_roots(root, bonds->i[b], bonds->j[b]);
    for (sherd_element_index k = 0; k < count; ++k)
        root[k] = sherd_find_root(root, k);
    SHERD_ASSERT(count == 0 || root[0] == 0, "a component is named by its first element");
}
