// Keeps the angular momentum of fragments over implicit steps.
//
// A step moves elements on straight lines that bonds bend into circles: a free fragment that spins by an
// angle a in a step would lose a share a^2 / 2 of its spin (Euler; a^4 / 2 and more with BDF2). Loads of bonds
// have no torque on their fragment, so what its angular momentum L about its centre must become is known,
//   gamma (L - L_v) = sum r x F + T,     L_v weighted from states n and n - 1 as the scheme weighs velocities,
// and a rigid rotation is added to its velocities that makes it so. Momentum is not touched. Stresses keep
// the centrifugal part that they have without it.
#pragma once

#include "bond/bonds.h"
#include "implicit/scheme.h"

typedef struct sherd_spin_keeper {
    sherd_element_index count;   // n
    int32_t fragment_count;      // with more than one element and none held
    sherd_element_index *member; // of fragments, one after the other; owned (n)
    int32_t segment_count;
    struct sherd_spin_segment *segments; // runs of members that are summed in one go; owned
    double *sums;                        // by segment; owned
    uint64_t topology;
    bool made;
} sherd_spin_keeper;

void sherd_spin_keeper_free(sherd_spin_keeper *keeper);

// Finds the fragments that intact bonds make, unless `topology` is what it was.
sherd_status sherd_spin_keeper_update(sherd_spin_keeper *keeper, const sherd_elements *elements,
                                      const sherd_bonds *bonds, uint64_t topology,
                                      sherd_error *error);

// After a step with `weights` from `now` and `old`: elements have its poses, velocities and loads.
void sherd_spin_keep(const sherd_spin_keeper *keeper, sherd_elements *elements,
                     const sherd_scheme_weights *weights, const sherd_node_state *now,
                     const sherd_node_state *old, const sherd_parallel *parallel);
