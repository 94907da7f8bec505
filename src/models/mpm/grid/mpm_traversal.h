// The order in which pages are visited. Those of one body add to its layers by colours, so that sums do not depend on threads.
// A body of few pages is visited as a whole, by one thread, one colour after the other: of its layers what one page leaves in
// the cache the next one finds there. Pages of larger bodies are visited together, one colour after the other.
#pragma once

#include "base/parallel.h"
#include "models/mpm/grid/mpm_grid.h"

// Finds it for pages that lie by colour. False when memory is short.
bool sherd_mpm_order_traversal(sherd_mpm_grid *grid);

// Returns the largest of what visits return. Pages of one colour of a body are visited before the next.
typedef double sherd_mpm_page_function(void *context, size_t page);
double sherd_mpm_traverse(const sherd_mpm_grid *grid, const sherd_parallel *parallel,
                          sherd_mpm_page_function *visit, void *context);
