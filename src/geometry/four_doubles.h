// Four doubles at once, one per child of a node: vector instructions independent of
// auto-vectorisation. Macros and pointers are used because not every processor has registers in
// which functions could return such vectors.
#pragma once

#include "geometry/bvh.h"

#include <stdint.h>

_Static_assert(SHERD_BVH_WIDTH == 4, "a node's children fill one of these");

typedef double sherd_four __attribute__((vector_size(4 * sizeof(double))));
typedef int64_t sherd_four_mask __attribute__((vector_size(4 * sizeof(int64_t))));

// The same at unaligned addresses.
typedef double sherd_four_at
    __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

#define FOUR_LOAD(from) (*(const sherd_four_at *)(from))

// a > b ? a : b, of variables
#define FOUR_MAX(a, b)                                                                             \
    ((sherd_four)(((sherd_four_mask)(a) & ((a) > (b))) | ((sherd_four_mask)(b) & ~((a) > (b)))))
