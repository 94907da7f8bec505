// Links between neighbours of a lattice of elements that cracks inside their fragment cut, and
// which elements are visible from each other despite these cracks.
//
// An element is visible from another if steps between neighbours lead to it that cross no crack and
// increase the distance from the start. On each side of a crack only that side is visible; around
// its tip, both sides become visible gradually.
#pragma once

#include "base/sort.h"
#include "math/point_bins.h"

#include <sherd/fragments.h>

typedef struct cut_links {
    bool any;              // some link is cut now
    double spacing;        // of the lattice [m]; 0: elements do not lie on a lattice
    sherd_vec3 low;        // position of the first site
    sherd_sort_pair *site; // elements, bin order, sorted by site  (count)
    int32_t count;
    // Of elements in bin order: their neighbours along -x, +x, -y, +y, -z, +z, -1: none  (count x
    // 6); the connected component by neighbours that no wall separates  (count).
    int32_t *near, *piece;
    // Bin order: bit 2 a towards the lower neighbour along axis a, bit 2 a + 1 towards the higher
    // (count).
    uint8_t *cut;
} cut_links;

// Returns whether a wall lies between two points.
typedef bool cut_links_parted(const void *context, sherd_vec3 a, sherd_vec3 b);
// Returns false when out of memory; call release in any case.
bool sherd_cut_links_create(cut_links *links, const sherd_point_bins *elements, double spacing,
                            cut_links_parted *parted, const void *context);
void sherd_cut_links_release(cut_links *links);

// Restores all links.
void sherd_cut_links_clear(cut_links *links);
// Cuts the link between the neighbours at two positions; does nothing if they are not neighbours.
void sherd_cut_links_cut(cut_links *links, sherd_vec3 a, sherd_vec3 b);

enum { VISIBLE_REACH = 3, VISIBLE_EDGE = 2 * VISIBLE_REACH + 1 }; // in sites along an axis

typedef struct visible_set {
    int32_t from; // element in bin order
    bool whole;   // no link nearby is cut: all elements are visible
    int64_t at[3];
    int32_t seen[VISIBLE_EDGE * VISIBLE_EDGE *
                 VISIBLE_EDGE]; // visible elements by offset, x fastest; -1: none
} visible_set;

// Finds the visible elements that have the same label; `label` is in bin order.
void sherd_visible_set_find(visible_set *s, const cut_links *links,
                            const sherd_point_bins *elements, const sherd_fragment_id *label,
                            int32_t from);
bool sherd_visible_set_has(const visible_set *s, const cut_links *links, sherd_vec3 element);
