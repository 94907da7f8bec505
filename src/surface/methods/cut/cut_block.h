// The triangles of one block of the crack's grid, divided where they cross the outer surface.
#pragma once

#include "surface/methods/cut/cut_divide.h"

typedef struct cut_block {
    crossings x;
    uint8_t *divided;      // triangles of the block that cross the outer surface
    cut_faces faces;       // the parts of those triangles that are inside the body
    cut_components joined; // of the block's vertices
    cut_labels labels;
} cut_block;

// Scratch memory of one thread.
typedef struct cut_block_scratch {
    cut_divider divider;
    size_t exact_capacity;
    exact_point *exact;
} cut_block_scratch;

// Rebuilds the block, except for the values of its components and its labels.
cut_result sherd_cut_block_make(cut_block *b, const outline *o, const crack_grid *g, int32_t block,
                                cut_block_scratch *scratch);
// Call after the values of the components were set. Returns false when out of memory.
bool sherd_cut_block_label(cut_block *b, const crack_block *from);
void sherd_cut_block_release(cut_block *b);
void sherd_cut_block_scratch_release(cut_block_scratch *scratch);

// Returns whether an undivided triangle is inside the body.
static inline bool cut_block_has(const cut_block *b, const crack_block *from, int32_t t)
{
    return !b->divided[t] &&
           b->joined.value[b->joined.of[from->triangles[t].corner[0]]] == CUT_INSIDE;
}
