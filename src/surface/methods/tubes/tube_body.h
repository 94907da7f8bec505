// A body of yarns: the runs that make up each fragment, and their tubes.
#pragma once

#include "surface/methods/tubes/tube.h"
#include "surface/surface_maker.h"

// Elements are numbered yarn by yarn, along each yarn: a bond between k and k + 1 belongs to the
// yarn, all others are glue.

// Returns false when out of memory; call release in any case.
bool sherd_yarns_create(yarns *y, const maker_source *source);
void sherd_yarns_release(yarns *y);

// Builds the pieces in the order of the fragment view and takes over previous ones that did not
// change. Returns false when out of memory.
bool sherd_yarns_update(const yarns *y, const body_frame *frame, piece_array *pieces,
                        const sherd_parallel *parallel);
