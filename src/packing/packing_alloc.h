// Memory of a packing.
#pragma once

#include <sherd/packing.h>

#include <stdbool.h>
#include <stddef.h>

// Room for n elements, with volumes of their own or without. False: memory is short, and what there is
// goes with the packing.
bool sherd_packing_alloc(sherd_packing *packing, size_t n, bool volumes);
// Room for the ends of m bonds; how many there are is left to be said.
bool sherd_packing_alloc_bonds(sherd_packing *packing, size_t m);
