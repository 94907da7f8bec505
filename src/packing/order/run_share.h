// How well an order of elements suits vectors.
#pragma once

#include "packing/touch_list.h"

// The share of touching pairs that lie in runs of at least eight: up to 16 consecutive elements, each
// touching the next, that touch as many consecutive ones. Such runs become packets of bonds
// (models/bonded/storage/bond_blocks.h). order[k] is the k-th centre. Negative when memory is short.
double sherd_run_share(const sherd_touch_list *list, const uint32_t *order);
