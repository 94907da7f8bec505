// What intact bonds join.
#pragma once

#include "base/forest.h"
#include "models/bonded/storage/bonds.h"

// root[k] becomes the first element of k's component, for `count` elements: the same whatever the order of bonds.
void sherd_find_components(const sherd_bonds *bonds, sherd_element_index count,
                           sherd_element_index *root);
