// Rows that test_bond_laws adds to the tables: put before all else of the files that expand them.
#pragma once

#include <sherd/laws.h>

#define SHERD_MORE_BOND_LAWS(ROW)                                                                  \
    ROW(TOY, toy, "hardens, and softens by what it has borne", ENERGY, 1)
#define SHERD_MORE_BOND_LAWS_FILE "unit/law_toy.h"
#define SHERD_BOND_LAW_TOY ((sherd_bond_law)SHERD_BOND_LAW_COUNT) // the next number

#define SHERD_MORE_BREAKAGES(ROW)                                                                  \
    ROW(BENDER, bender, "bending counts double", MAGNITUDE, 2.0, 0.5, 3.0, AT_STRENGTH)
#define SHERD_BREAKAGE_BENDER ((sherd_breakage)SHERD_BREAKAGE_COUNT)
