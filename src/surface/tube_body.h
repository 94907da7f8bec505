// A body of yarns: which stretches of them make up each fragment, and their tubes.
#pragma once

#include "surface/tube.h"

// What a body of yarns is made of. Elements are numbered yarn by yarn, along each: a bond of k and
// k + 1 is a stretch of yarn, all others are glue.
typedef struct yarns_source {
    sherd_element_index first, count;
    const double *x, *y, *z, *radius; // at rest, by element of all bodies [m]
    sherd_bond_index bond_count;      // of all bodies
    const sherd_element_index *bond_i, *bond_j;
} yarns_source;

// False when memory is short; release in any case.
bool sherd_yarns_create(yarns *y, const yarns_source *source);
void sherd_yarns_release(yarns *y);

// The pieces of the body `index`, in the order of the fragment view, taking over former ones that did not change.
// `label` is by element of the body, `broken` by bond of all. False when memory is short.
typedef struct tube_frame {
    const sherd_fragment_view *view;
    const sherd_fragment_id *label;
    const uint8_t *broken;
    int index, smallest;
    uint64_t *next_version;
} tube_frame;
bool sherd_yarns_update(const yarns *y, const tube_frame *frame, piece **pieces,
                        int32_t *piece_count, const sherd_parallel *parallel);
