// The bonds that are softening, for implicit steps: those that have reached their strength and are not broken yet
// (laws/breakage/softening.h).
//
// Kernels of explicit steps compute them where they lie in their blocks (kernels/bond_soften.h). Those of implicit steps
// leave them out, and a pass of its own in double precision computes the list's (softening_pass.h); linear solvers get
// their stiffness from it. How far a bond has opened is its number in sherd_bonds.opening; that and which bonds are
// broken say what the list is. Explicit steps leave it as it was: every implicit step makes it again.
#pragma once

#include "laws/bond/bond_numbers.h"
#include "models/bonded/softening/softening_ends.h"
#include "models/bonded/storage/bonds.h"

// The kernel reads it as a record of 16 doubles.
typedef struct sherd_softening_bond {
    double numbers[SHERD_SLOT_NUMBERS]; // bond_numbers.h
    double critical;                    // opening at which it breaks
    int32_t bond, i, j;
    int32_t kind;
} sherd_softening_bond;

// Of the last pass.
typedef struct sherd_softening_result {
    sherd_vec3 force_j, torque_i, torque_j;
    double asked; // opening that its state asks for
} sherd_softening_result;

// What a pass came to.
typedef struct sherd_softening_sum {
    double energy;        // that softening bonds store [J]
    double damping_power; // [W]
    double stress_ratio;  // largest of stress over what each may bear now
} sherd_softening_sum;

enum { SHERD_SOFTENING_CHUNK = 256 }; // bonds that one task computes and sums up

typedef struct sherd_softening_list {
    int32_t count;
    sherd_softening_bond *bonds;     // by kind, then by number; owned
    sherd_softening_result *results; // owned
    sherd_softening_sum *sums;       // of chunks; owned
    sherd_softening_ends ends;
    size_t capacity, result_capacity, sum_capacity;
} sherd_softening_list;

// All that soften, anew. False: short of memory, and nothing has changed.
bool sherd_softening_list_find(sherd_softening_list *list, const sherd_bonds *bonds,
                               const sherd_elements *elements);

void sherd_softening_list_free(sherd_softening_list *list);
size_t sherd_softening_list_bytes(const sherd_softening_list *list);
