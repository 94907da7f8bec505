// A body of yarns: which stretches of them make up each fragment, and their tubes.
#pragma once

#include "surface/methods/tubes/tube.h"
#include "surface/surface_maker.h"

// Elements are numbered yarn by yarn, along each: a bond of k and k + 1 is a stretch of yarn, all
// others are glue.

// False when memory is short; release in any case.
bool sherd_yarns_create(yarns *y, const maker_source *source);
void sherd_yarns_release(yarns *y);

// The pieces in the order of the fragment view, taking over former ones that did not change. False
// when memory is short.
bool sherd_yarns_update(const yarns *y, const body_frame *frame, piece_array *pieces,
                        const sherd_parallel *parallel);
