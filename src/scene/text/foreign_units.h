// Names of units that values can't have, and what to write instead: inches, pounds, psi, and units
// spelt out ("degrees").
#pragma once

typedef struct sherd_foreign_unit {
    const char *name;
    const char *unit;  // another name of this unit, "deg"; NULL if it is none
    const char *equal; // what one of it is, "25.4 mm"; NULL if it is another name
} sherd_foreign_unit;

// The unit of that name, or NULL. Case does not matter but where symbols differ by it (MJ, mJ).
const sherd_foreign_unit *sherd_foreign_unit_find(const char *name);
