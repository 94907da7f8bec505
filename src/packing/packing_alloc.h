// Memory of a packing.
#pragma once

#include <sherd/packing.h>

#include <stdbool.h>
#include <stddef.h>

// Allocates n elements, with or without individual volumes. Returns false if memory runs short;
// what was allocated is freed with the packing.
bool sherd_packing_alloc(sherd_packing *packing, size_t n, bool volumes);
// Allocates the ends of m bonds; the caller sets their number.
bool sherd_packing_alloc_bonds(sherd_packing *packing, size_t m);
