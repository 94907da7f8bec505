// Numerical fracture: neighbours of the lattice that share no node of the grid any more, beyond
// glue that broke. Nothing of one reaches the other then, whatever the law. With the cubic kernel
// they are three to four cells apart, from half a cell at rest. A tear stays, so that fragments
// only split; the grid itself goes on treating them as one body, should they meet again.
//
// Tears are sought whenever points have been sorted: before neighbours part they go so far that
// points are.
#pragma once

#include "base/record.h"
#include "models/mpm/damage/mpm_rest_lattice.h"

typedef struct sherd_mpm_tears {
    uint8_t *torn; // by element listed in the lattice, bit k: from its next neighbour along axis k
    size_t count;  // neighbours that are torn apart
    // Scratch, by element: the first node that it reaches.
    int32_t (*node)[3];
} sherd_mpm_tears;

// Nothing torn; `elements` are numbered up to that. False when memory is short; free in any case.
bool sherd_mpm_tears_make(sherd_mpm_tears *tears, const sherd_mpm_lattice *lattice,
                          sherd_element_index elements);
void sherd_mpm_tears_free(sherd_mpm_tears *tears);

// Of points where they are now.
void sherd_mpm_tears_find(sherd_mpm_tears *tears, const sherd_mpm_lattice *lattice,
                          const sherd_mpm_grid *grid, const sherd_mpm_points *points,
                          const sherd_parallel *parallel);

// Whether nothing torn lies between an element listed at `at` and its next neighbour along an axis.
static inline bool sherd_mpm_tears_hold(const sherd_mpm_tears *tears, size_t at, int axis)
{
    return (tears->torn[at] >> axis & 1) == 0;
}

// Of elements [first, end), all of one body.
size_t sherd_mpm_tears_between(const sherd_mpm_tears *tears, const sherd_mpm_lattice *lattice,
                               sherd_element_index first, sherd_element_index end);

// Joins the trees of elements (base/forest.h) that neighbours which are not torn, intact glue and
// bridges hold together.
void sherd_mpm_tears_join(const sherd_mpm_tears *tears, const sherd_mpm_lattice *lattice,
                          const sherd_mpm_glues *glue, sherd_element_index *root);

uint64_t sherd_mpm_tears_hash(const sherd_mpm_tears *tears, size_t listed, uint64_t hash);
// As an optional section: records without one have nothing torn.
void sherd_mpm_tears_save(const sherd_mpm_tears *tears, size_t listed, sherd_byte_buffer *out);
sherd_status sherd_mpm_tears_restore(sherd_mpm_tears *tears, size_t listed, sherd_record_reader *in,
                                     sherd_error *error);
