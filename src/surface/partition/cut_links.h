// Neighbours of a lattice of elements that a crack inside their fragment parts, and which elements such cracks leave in
// sight of each other.
//
// From an element one is in sight which is reached by steps to neighbours, none across a crack and each leading away from
// the start: on each side of a crack is that side alone, and around its tip both come into sight little by little.
#pragma once

#include "base/sort.h"
#include "math/point_bins.h"

#include <sherd/fragments.h>

typedef struct cut_links {
    bool any;              // cut now
    double spacing;        // of the lattice [m]; 0: elements lie on none
    sherd_vec3 low;        // its first site
    sherd_sort_pair *site; // elements, bin order, by where they are  (count)
    int32_t count;
    // Of elements in bin order: their neighbours along -x, +x, -y, +y, -z, +z, -1: none  (count x 6); what hangs together
    // by neighbours that no wall parts  (count).
    int32_t *near, *piece;
    uint8_t *
        cut; // bin order: bit 2 a towards the lower neighbour along axis a, bit 2 a + 1 towards the higher  (count)
} cut_links;

// Whether a wall lies between two places.
typedef bool cut_links_parted(const void *context, sherd_vec3 a, sherd_vec3 b);
// False when memory is short; release in any case.
bool sherd_cut_links_create(cut_links *links, const sherd_point_bins *elements, double spacing,
                            cut_links_parted *parted, const void *context);
void sherd_cut_links_release(cut_links *links);

// Nothing is cut.
void sherd_cut_links_clear(cut_links *links);
// Cuts what joins the neighbours at two places; nothing where they are none.
void sherd_cut_links_cut(cut_links *links, sherd_vec3 a, sherd_vec3 b);

enum { SIGHT_REACH = 3, SIGHT_EDGE = 2 * SIGHT_REACH + 1 }; // sites along an axis

typedef struct sight {
    int32_t from; // element in bin order
    bool whole;   // nothing near is cut: all are in sight
    int64_t at[3];
    int32_t seen[SIGHT_EDGE * SIGHT_EDGE *
                 SIGHT_EDGE]; // elements in sight by offset, x fastest; -1: none
} sight;

// Of elements with the label of that one; `label` is in bin order.
void sherd_sight_find(sight *s, const cut_links *links, const sherd_point_bins *elements,
                      const sherd_fragment_id *label, int32_t from);
bool sherd_sight_has(const sight *s, const cut_links *links, sherd_vec3 element);
