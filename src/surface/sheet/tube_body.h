// A body of yarns: which stretches of them make up each fragment, and their tubes.
#pragma once

#include "surface/piece_list.h"
#include "surface/sheet/tube.h"

// Elements are numbered yarn by yarn, along each: a bond of k and k + 1 is a stretch of yarn, all
// others are glue.

// False when memory is short; release in any case.
bool sherd_yarns_create(yarns *y, const bond_map *source);
void sherd_yarns_release(yarns *y);

// The pieces in the order of the fragment view, taking over former ones that did not change. False
// when memory is short.
bool sherd_yarns_update(const yarns *y, const bond_frame *frame, piece **pieces,
                        int32_t *piece_count, const sherd_parallel *parallel);
