// Values of components that no divided triangle of their own list tells: lists share vertices, and what
// one knows of a vertex holds for the others.
#pragma once

#include "surface/methods/cut/cut_block.h"
#include "surface/methods/cut/cut_patch.h"

// Fragments of all patches' components. Those that no crack meets belong to the owner of most of their
// first vertices. `changed` is set for patches that have other values than before.
cut_result sherd_cut_link_patches(cut_patches *patches, const outline *o, const partition *p,
                                  uint8_t *changed);

// Insides of the components of the listed blocks, ascending. Of those that are not `made` anew the values
// are known already. Those that nothing tells are inside if their first vertex is.
cut_result sherd_cut_link_blocks(cut_block *blocks, const crack_grid *g, const outline *o,
                                 const int32_t *list, int32_t count, const uint8_t *made);
