// The order in which kernels go through pages. Pages of one body add to its layers colour by
// colour, so that sums do not depend on the number of threads. A body of few pages is traversed as
// a whole by one thread, one colour after the other: the next page finds the layers of the last one
// in the cache. Pages of larger bodies are traversed together, colour by colour.
#pragma once

#include "base/parallel.h"
#include "models/mpm/grid/mpm_grid.h"

// Finds the order for pages that lie by colour. False when memory is short.
bool sherd_mpm_order_traversal(sherd_mpm_grid *grid);

// Returns the largest of what the function returns. Pages of one colour of a body are traversed
// before the next.
typedef double sherd_mpm_page_function(void *context, size_t page);
double sherd_mpm_traverse(const sherd_mpm_grid *grid, const sherd_parallel *parallel,
                          sherd_mpm_page_function *visit, void *context);
