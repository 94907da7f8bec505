// The undeformed lattice of a body's points: the neighbours of each, across intact glue too. The
// neighbours' present positions give each point's local rotation, the polar part of its deformation
// gradient F. Only surfaces use it; the time step does not.
#pragma once

#include "base/parallel.h"
#include "models/mpm/glue/mpm_glue.h"
#include "points/elements.h"

#include <stdbool.h>

// Two elements of one body that are no neighbours, for bodies whose lattice has several parts:
// corner to corner, or far from each other.
typedef struct sherd_mpm_bridge {
    sherd_element_index from, to;
} sherd_mpm_bridge;

typedef struct sherd_mpm_lattice {
    double spacing; // [m]
    // Neighbours of each listed element at -x, +x, -y, +y, -z, +z; -1: none; -2 - g: the other end
    // of glue g, while that is intact  (count x 6)
    sherd_element_index *neighbours;
    sherd_element_index *element; // listed (count)
    uint8_t *flows;               // listed, 1: of a body without a surface that others meet (count)
    size_t count;
    sherd_mpm_bridge *bridges; // connections between the parts of a body
    size_t bridge_count, bridge_room;
} sherd_mpm_lattice;

// The next neighbour along an axis of the element listed at `at`, of the same piece; negative:
// none.
static inline sherd_element_index sherd_mpm_lattice_next(const sherd_mpm_lattice *lattice,
                                                         size_t at, int axis)
{
    return lattice->neighbours[6 * at + 2 * (size_t)axis + 1];
}

// Adds elements [first, end), whose rest positions lie on one lattice. False: memory is short.
bool sherd_mpm_lattice_add(sherd_mpm_lattice *lattice, const sherd_elements *elements,
                           sherd_element_index first, sherd_element_index end);
// Elements listed from `from` on are of a body that has no surface for contact.
void sherd_mpm_lattice_let_flow(sherd_mpm_lattice *lattice, size_t from);
// Removes neighbours in other pieces except those that glue joins; `piece` is by element.
void sherd_mpm_lattice_divide(sherd_mpm_lattice *lattice, const uint32_t *piece,
                              const sherd_mpm_glues *glue);
void sherd_mpm_lattice_free(sherd_mpm_lattice *lattice);

// Sets the orientations of the listed elements.
void sherd_mpm_lattice_find_rotations(const sherd_mpm_lattice *lattice, const sherd_mpm_glues *glue,
                                      sherd_elements *elements, const sherd_parallel *parallel);
