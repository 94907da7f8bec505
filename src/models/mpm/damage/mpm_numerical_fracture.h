// Numerical fracture, beside broken glue: neighbours of the lattice that no longer share a node of
// the grid do not interact, whatever the law. With the cubic kernel they are then three to four
// cells apart, from half a cell at rest. A tear is permanent, so that fragments only split. The
// grid itself still treats them as one body if they come together again.
//
// Tears are searched for whenever points were sorted: before neighbours separate, they move so far
// that points must be sorted.
//
// Points whose phase field broke (mpm_phase_field.h) are torn from all their neighbours: fragments are components of whole
// points.
#pragma once

#include "base/record.h"
#include "models/mpm/damage/mpm_rest_lattice.h"

typedef struct sherd_mpm_tears {
    uint8_t *torn; // by element listed in the lattice, bit k: from its next neighbour along axis k
    size_t count;  // number of torn pairs of neighbours
} sherd_mpm_tears;

// Starts with nothing torn. False when memory is short; must be freed in any case.
bool sherd_mpm_tears_make(sherd_mpm_tears *tears, const sherd_mpm_lattice *lattice);
void sherd_mpm_tears_free(sherd_mpm_tears *tears);

// Marks, by element, points that damage tears from their neighbours. Without phase fields it does nothing.
void sherd_mpm_tears_mark_broken(const sherd_mpm_points *points, const sherd_parallel *parallel,
                                 uint8_t *broken);

// Tears neighbours of which one is broken.
void sherd_mpm_tears_add_broken(sherd_mpm_tears *tears, const sherd_mpm_lattice *lattice,
                                const uint8_t *broken, const sherd_parallel *parallel);

// Finds tears at the points' present positions. Their numbers are below `elements`. False when
// memory is short.
bool sherd_mpm_tears_find(sherd_mpm_tears *tears, const sherd_mpm_lattice *lattice,
                          const sherd_mpm_grid *grid, const sherd_mpm_points *points,
                          sherd_element_index elements, const sherd_parallel *parallel);

// Whether nothing torn lies between an element listed at `at` and its next neighbour along an axis.
static inline bool sherd_mpm_tears_hold(const sherd_mpm_tears *tears, size_t at, int axis)
{
    return (tears->torn[at] >> axis & 1) == 0;
}

// The number of tears among elements [first, end), all of one body.
size_t sherd_mpm_tears_between(const sherd_mpm_tears *tears, const sherd_mpm_lattice *lattice,
                               sherd_element_index first, sherd_element_index end);

// Joins the trees of elements (base/forest.h) that neighbours which are not torn, intact glue and
// bridges hold together, but for elements that are `broken`.
void sherd_mpm_tears_join(const sherd_mpm_tears *tears, const sherd_mpm_lattice *lattice,
                          const sherd_mpm_glues *glue, const uint8_t *broken,
                          sherd_element_index *root);

uint64_t sherd_mpm_tears_hash(const sherd_mpm_tears *tears, size_t listed, uint64_t hash);
// Saved as an optional section: in records without it nothing is torn.
void sherd_mpm_tears_save(const sherd_mpm_tears *tears, size_t listed, sherd_byte_buffer *out);
sherd_status sherd_mpm_tears_restore(sherd_mpm_tears *tears, size_t listed, sherd_record_reader *in,
                                     sherd_error *error);
