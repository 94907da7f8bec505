// Connected components of the graph of intact bonds.
#pragma once

#include "base/forest.h"
#include "models/bonded/storage/bonds.h"

// Sets root[k], for each of `count` elements, to the lowest element of k's component. The result
// does not depend on the order of bonds.
void sherd_find_components(const sherd_bonds *bonds, sherd_element_index count,
                           sherd_element_index *root);
