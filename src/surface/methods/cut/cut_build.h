// Builds all pieces of a body by cutting its outer surface.
#pragma once

#include "surface/finish/piece_attributes.h"
#include "surface/methods/cut/cut_piece.h"

// Inputs and output of a build.
typedef struct cut_build {
    outline *o;
    cut *k;
    const uint8_t *stale_block; // blocks of the crack grid that changed since the last update
    const partition *p;
    const decoration *decoration;
    int32_t offset;        // of the body's first element
    bool rigid;            // pieces are rigid and get no bones
    slit_drawing slits;    // how cracks inside a fragment are drawn
    const key_map *number; // maps a fragment to the index of its piece
    int32_t piece_count;
    // Fragment, body and element count are set by the caller; the rest is filled in.
    piece *pieces;
    const int32_t *first; // first element of each piece in the body
    const uint8_t *stale; // pieces whose elements changed
    piece *former;        // pieces of the last update; those still valid are moved to `pieces`
    int32_t former_count;
} cut_build;

// Returns CUT_OK, CUT_MEMORY, or CUT_INCONSISTENT: then no piece has a mesh.
cut_result sherd_cut_build(cut_build *b, const sherd_parallel *parallel);
