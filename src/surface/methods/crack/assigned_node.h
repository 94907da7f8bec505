// Assigns a grid node to each fragment smaller than a cell: without a node it would have no
// surface, and its volume would go to its neighbours.
#pragma once

#include "surface/methods/crack/crack_grid.h"

// Computes the assigned nodes of an update, ordered by each fragment's first element. Returns false
// when out of memory; call release in any case.
bool sherd_assigned_nodes_find(assigned_nodes *assigned, const crack_grid *g, const partition *p);
void sherd_assigned_nodes_release(assigned_nodes *assigned);
