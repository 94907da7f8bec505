// Orders rows so that neighbouring rows are near each other in memory.
#pragma once

#include "packing/order/row_chain.h"

// Sets order[k] to the index of the k-th centre: pieces of rows, with nearby pieces soon after each
// other, so that runs of consecutive elements are compact. Returns false if memory runs short.
bool sherd_row_cells(const sherd_row_chains *chains, const sherd_centres *centres, double radius,
                     uint32_t *order);
