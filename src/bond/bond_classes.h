// Finds bonds that are alike, so that their data is stored once.
#pragma once

#include "bond/bond_blocks.h"

enum { SHERD_BOND_NO_CLASS = 0xFFFF, SHERD_BOND_MOST_CLASSES = 4096 };

// Fills class_of (bonds->count) with indices into *classes, or SHERD_BOND_NO_CLASS for bonds that
// are too different from all others. *classes is the caller's. Bonds of one class agree in rest
// geometry and stiffness to 4e-12 and in the ratio of their strengths.
sherd_status sherd_bond_classify(const sherd_bonds *bonds, uint16_t *class_of,
                                 sherd_bond_class **classes, int *class_count, sherd_error *error);
