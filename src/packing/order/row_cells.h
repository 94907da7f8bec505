// Ordering rows so that neighbours stay near each other.
#pragma once

#include "packing/order/row_chain.h"

// Fills order[k] with the index of the k-th centre: pieces of rows, near ones soon after each other, so
// that runs of consecutive elements are compact. False when memory is short.
bool sherd_row_cells(const sherd_row_chains *chains, const sherd_centres *centres, double radius,
                     uint32_t *order);
