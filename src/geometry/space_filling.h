// Orders points along a space-filling curve, so that neighbours in space are neighbours in memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Fills order[k] with the index of the k-th point along the Z-order (Morton) curve through the
// points' bounding cube, 21 bits an axis; points in one cell keep their order. The coordinates must
// be finite, count at most 2^32 - 1. False when scratch memory is short.
bool sherd_morton_order(const double *x, const double *y, const double *z, size_t count,
                        uint32_t *order);
