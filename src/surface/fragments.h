// Internal state of sherd_fragments, shared by the component search and the fit of rigid motions.
#pragma once

#include <sherd/fragments.h>

#include <stddef.h>

struct sherd_fragments {
    sherd_element_index element_count;
    int32_t count; // fragments
    sherd_fragment_id next_id;
    size_t capacity;             // of the element arrays below
    int32_t *slot;               // slot of each element's fragment
    int32_t *former;             // the same at the previous update
    sherd_fragment_id *label;    // id of each element's fragment
    sherd_element_index *root;   // union-find forest
    sherd_element_index *member; // elements ordered by fragment, then index
    size_t piece_capacity;       // of the fragment arrays below
    sherd_fragment *pieces, *former_pieces;
    sherd_element_index *start; // fragment k owns member[start[k] .. start[k + 1])
};

// The undeformed positions `rest_*`, positions and orientations are arrays by element. The fragment
// must be in the current view.
sherd_fragment_motion sherd_fragments_motion(const sherd_fragments *fragments,
                                             int32_t fragment_slot, const double *mass,
                                             const double *rest_x, const double *rest_y,
                                             const double *rest_z, const double *x, const double *y,
                                             const double *z);
