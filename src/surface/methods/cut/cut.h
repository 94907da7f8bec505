// A body's outer surface and its crack surface, cut along their lines of intersection. The surface
// of every fragment is assembled from the parts.
//
// Triangles that cross others are divided along their intersection segments (cut_divide.h); the
// sides of the segments determine the owner of each part. Shared vertices propagate the owners to
// triangles that cross nothing (cut_divide.h, cut_link.h). The outer parts of one fragment and
// the interior parts of the crack around it form its closed surface, because every edge is divided
// in the same way for both of its triangles.
//
// The crack is divided into blocks of its grid and the outer surface into patches. Where cracks
// change, only these blocks, and the patches that cracks cross or crossed there, are rebuilt. The
// content of a block or patch does not depend on the history of updates.
#pragma once

#include "surface/methods/cut/cut_block.h"
#include "surface/methods/cut/cut_patch.h"
#include "surface/partition/key_map.h"

typedef struct cut {
    const outline *o;
    const crack_grid *g;
    cut_block *blocks;   // in the order of the grid's blocks
    cut_patches patches; // of the outline
    bool valid;          // the state is that of the last update
    uint64_t salt;       // of the last update
} cut;

// `size` of patches is approximate. Returns false when out of memory; call release in any case.
bool sherd_cut_create(cut *k, const outline *o, const crack_grid *g, double patch_size);
void sherd_cut_release(cut *k);

// Updates blocks and patches where the crack is `stale` (by block); updates all of them after a
// failure and after the lattice points of the outer surface were perturbed anew. Adds fragments
// with faces in the changed parts to `touched`.
cut_result sherd_cut_update(cut *k, const partition *p, const uint8_t *stale, key_map *touched,
                            const sherd_parallel *parallel);
