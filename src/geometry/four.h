// Four doubles at once, a child of a node each: vector instructions whatever the compiler makes of loops. Macros and
// pointers, as functions may not hand over what not every processor has registers for.
#pragma once

#include "geometry/bvh.h"

#include <stdint.h>

_Static_assert(SHERD_BVH_WIDTH == 4, "a node's children fill one of these");

typedef double sherd_four __attribute__((vector_size(4 * sizeof(double))));
typedef int64_t sherd_four_mask __attribute__((vector_size(4 * sizeof(int64_t))));

// The same at any address of doubles.
typedef double sherd_four_at
    __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

#define FOUR_LOAD(from) (*(const sherd_four_at *)(from))

// a > b ? a : b, of variables
#define FOUR_MAX(a, b)                                                                             \
    ((sherd_four)(((sherd_four_mask)(a) & ((a) > (b))) | ((sherd_four_mask)(b) & ~((a) > (b)))))
