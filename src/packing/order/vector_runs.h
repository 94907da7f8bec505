// Measures how well an order of elements can be vectorised.
#pragma once

#include "packing/touch_list.h"

// The fraction of touching pairs that are in runs of at least eight: up to 16 consecutive elements,
// each touching the next, that touch as many consecutive ones. Such runs become packets of bonds
// (models/bonded/storage/bond_blocks.h). order[k] is the k-th centre. Negative if memory runs
// short.
double sherd_vector_run_fraction(const sherd_touch_list *list, const uint32_t *order);
