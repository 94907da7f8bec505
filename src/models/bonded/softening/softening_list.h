// The list of softening bonds, for implicit steps: bonds that have reached their strength and are
// not broken yet (laws/breakage/softening.h).
//
// Kernels of explicit steps compute these bonds within their blocks (kernels/bond_soften.h).
// Kernels of implicit steps skip them, and a separate pass in double precision computes the list
// (softening_pass.h); linear solvers get their stiffness from it. The list follows from
// sherd_bonds.opening and from which bonds are broken. Explicit steps do not update it: every
// implicit step rebuilds it.
#pragma once

#include "laws/bond/bond_numbers.h"
#include "models/bonded/storage/bonds.h"

// The bonds of a list that end at each element, so that threads can add the loads of several
// elements at once: each element gets the loads of its bonds in the order of the list.
typedef struct sherd_softening_ends {
    int32_t count;                // elements that softening bonds join
    sherd_element_index *element; // (count); owned
    // start of each element's ends in `end`, and the end of the last (count + 1); owned
    int32_t *first;
    // 2 k for the lower end of bond k, 2 k + 1 for its upper end, sorted by element; owned
    int32_t *end;
    int32_t *index; // index of an element in `element`, or -1 (elements); owned
    size_t capacity, first_capacity, end_capacity, index_count;
} sherd_softening_ends; // initialise with zeros

// The kernel reads this as a record of 16 doubles.
typedef struct sherd_softening_bond {
    double numbers[SHERD_SLOT_NUMBERS]; // bond_numbers.h
    double critical;                    // opening at which it breaks
    int32_t bond, i, j;
    int32_t kind;
} sherd_softening_bond;

// Results of the last pass for one bond.
typedef struct sherd_softening_result {
    sherd_vec3 force_j, torque_i, torque_j;
    double required; // opening that the present state requires
} sherd_softening_result;

// Sums of a pass.
typedef struct sherd_softening_sum {
    double energy;        // stored in softening bonds [J]
    double damping_power; // [W]
    double stress_ratio;  // largest ratio of stress to the present strength
} sherd_softening_sum;

enum { SHERD_SOFTENING_CHUNK = 256 }; // bonds that one task computes and sums up

typedef struct sherd_softening_list {
    int32_t count;
    sherd_softening_bond *bonds;     // sorted by kind, then by bond; owned
    sherd_softening_result *results; // owned
    sherd_softening_sum *sums;       // one for each chunk; owned
    sherd_softening_ends ends;
    size_t capacity, result_capacity, sum_capacity;
} sherd_softening_list;

// Rebuilds the list. Returns false, and changes nothing, if memory runs short.
bool sherd_softening_list_find(sherd_softening_list *list, const sherd_bonds *bonds,
                               const sherd_elements *elements);

void sherd_softening_list_free(sherd_softening_list *list);
size_t sherd_softening_list_bytes(const sherd_softening_list *list);
