// Values of components that no divided triangle of their own list determines: lists share vertices,
// and the value of a shared vertex in one list applies to the others.
#pragma once

#include "surface/methods/cut/cut_block.h"
#include "surface/methods/cut/cut_patch.h"

// Determines the fragments of all patches' components. A component that no crack crosses belongs to
// the owner of most of its first vertices. Sets `changed` for patches whose values changed.
cut_result sherd_cut_link_patches(cut_patches *patches, const outline *o, const partition *p,
                                  uint8_t *changed);

// Determines which components of the listed blocks (ascending) are inside the body. Blocks that are
// not `made` anew have their values already. A component without any divided triangle is inside if
// its first vertex is.
cut_result sherd_cut_link_blocks(cut_block *blocks, const crack_grid *g, const outline *o,
                                 const int32_t *list, int32_t count, const uint8_t *made);
