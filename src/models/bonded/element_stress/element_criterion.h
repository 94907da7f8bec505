// Criteria of elements' stresses: bonds break when the stress of one of their ends exceeds their tensile strength, the
// mean of the principal stresses or the largest of them (sherd/laws.h). An element breaks all its bonds, but for those
// that are stronger.                                                             [RBDEM] (32), docs/theory/physics.md
//
// What they need are sums over all bonds of an element, which no kernel of bonds has. So kernels take bonds of such
// materials for unbreakable, and a pass of its own follows, over these bonds and their ends alone.
#pragma once

#include "models/bonded/element_stress/moment_numbers.h"
#include "models/bonded/storage/adjacency.h"

#include <sherd/stress.h>

typedef struct sherd_element_criterion {
    int32_t
        bond_count; // of materials with such a criterion, broken ones included; 0: all else is empty
    int32_t *bond;  // ascending; owned
    sherd_moment_numbers numbers; // of these
    int32_t element_count;        // that they join
    sherd_element_index *element; // ascending; owned
    float *solid;                 // that each of these stands for [m^3]; owned
    uint8_t *measure;             // sherd_breakage_measure of each; owned
    sherd_stress *moments;        // of all bonds (moment_kernel.h); owned
    // Of all elements, by the last pass: what the criterion compares with strengths, 0 where it is not positive,
    // without such bonds, or asleep [Pa]; owned.
    float *stress;
    double least_strength; // of bonds [Pa]
    size_t bytes;          // of all arrays
} sherd_element_criterion;

// False: short of memory.
bool sherd_element_criterion_build(sherd_element_criterion *criterion, const sherd_bonds *bonds,
                                   const sherd_elements *elements);
void sherd_element_criterion_free(sherd_element_criterion *criterion);
size_t sherd_element_criterion_bytes(const sherd_element_criterion *criterion);

// The pass. Of an element whose stress is not above `enough` [Pa], something less may stand for it.
void sherd_element_criterion_evaluate(sherd_element_criterion *criterion, const sherd_bonds *bonds,
                                      const sherd_elements *elements,
                                      const sherd_adjacency *adjacency,
                                      const sherd_parallel *parallel, double enough);

// Stress over strength of a bond by the last pass; 0 of one that is broken or has another criterion.
double sherd_element_criterion_ratio(const sherd_element_criterion *criterion,
                                     const sherd_bonds *bonds, const sherd_elements *elements,
                                     int64_t bond);

// The largest of all.
double sherd_element_criterion_largest_ratio(const sherd_element_criterion *criterion,
                                             const sherd_bonds *bonds,
                                             const sherd_elements *elements,
                                             const sherd_parallel *parallel);

// Walks the bonds that are over their strength by the last pass: start with 0. False at the end.
bool sherd_element_criterion_next_over(const sherd_element_criterion *criterion,
                                       const sherd_bonds *bonds, const sherd_elements *elements,
                                       int32_t *cursor, int64_t *bond);
