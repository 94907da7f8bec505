// A body's outer surface and the crack surface, cut along the lines where they cross: what every
// fragment's surface is made of.
//
// Triangles that cross others are divided along the segments in them (cut_divide.h), whose sides tell
// whose each part is. Vertices pass this on to triangles that cross nothing (cut_component.h,
// cut_link.h). Outer parts of one fragment and the inside parts of the crack around it then form its
// closed surface, since every edge of either has been divided alike for both of its triangles.
//
// The crack comes in blocks of its grid and the outer surface in patches. Where cracks change, only
// these blocks, and the patches that cracks cross or crossed there, are made anew. What a block or a
// patch is does not depend on how it came about.
#pragma once

#include "surface/methods/cut/cut_block.h"
#include "surface/methods/cut/cut_patch.h"
#include "surface/partition/key_map.h"

typedef struct cut {
    const outline *o;
    const crack_grid *g;
    cut_block *blocks;   // as those of the grid
    cut_patches patches; // of the outline
    bool valid;          // all is as the last update has left it
    uint64_t salt;       // of the last update
} cut;

// Patches have about this size. False when memory is short; release in any case.
bool sherd_cut_create(cut *k, const outline *o, const crack_grid *g, double patch_size);
void sherd_cut_release(cut *k);

// Brings blocks and patches up to date where the crack is `stale`, by block; all of them after a failure
// and where the outline has been shaken. Fragments that have faces in what changed are added to `touched`.
cut_result sherd_cut_update(cut *k, const partition *p, const uint8_t *stale, key_map *touched,
                            const sherd_parallel *parallel);
