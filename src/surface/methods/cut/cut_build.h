// All pieces of a body by cutting its outer surface.
#pragma once

#include "surface/finish/decorate.h"
#include "surface/methods/cut/cut_piece.h"

// What pieces are made of, and where they go.
typedef struct cut_build {
    outline *o;
    cut *k;
    const uint8_t *stale_block; // of the grid of cracks: not as at the last update
    const partition *p;
    const decoration *decoration;
    int32_t offset;        // of the body's first element
    bool rigid;            // pieces get no bones
    slit_drawing slits;    // of cracks inside a fragment
    const key_map *number; // of a fragment's piece
    int32_t piece_count;
    piece *pieces;        // fragment, body and element count are set; filled
    const int32_t *first; // first element of each piece in the body
    const uint8_t *stale; // elements of the piece changed
    piece *former;        // of the last update; those that are still right move over
    int32_t former_count;
} cut_build;

// CUT_OK, CUT_MEMORY, or CUT_INCONSISTENT: then no piece has a mesh.
cut_result sherd_cut_build(cut_build *b, const sherd_parallel *parallel);
