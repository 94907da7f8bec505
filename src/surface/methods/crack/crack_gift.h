// Fragments smaller than a cell of the grid are given a node: without one they would have no surface,
// and their volume would go to their neighbours.
#pragma once

#include "surface/methods/crack/crack_grid.h"

// The gifts of an update, in order of the fragments' first sight along the elements. False when memory is
// short; release in any case.
bool sherd_crack_gifts_find(crack_gifts *gifts, const crack_grid *g, const partition *p);
void sherd_crack_gifts_release(crack_gifts *gifts);
