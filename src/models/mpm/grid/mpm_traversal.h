// The order in which kernels process pages. Pages of one body add to its layers colour by colour,
// so that sums do not depend on the number of threads. One thread processes a small body
// completely, colour by colour, so that the next page finds the previous page's layers in the
// cache. Pages of large bodies are processed in parallel, colour by colour.
#pragma once

#include "base/parallel.h"
#include "models/mpm/grid/mpm_grid.h"

// Finds the order for pages that are sorted by colour. False when memory is short.
bool sherd_mpm_order_traversal(sherd_mpm_grid *grid);

// Calls a function for all pages and returns the largest of its results. Pages of one colour of a
// body are processed before the next colour.
typedef double sherd_mpm_page_function(void *context, size_t page);
double sherd_mpm_traverse(const sherd_mpm_grid *grid, const sherd_parallel *parallel,
                          sherd_mpm_page_function *visit, void *context);
