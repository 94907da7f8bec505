// Failure criteria on the stress of elements: a bond breaks when the stress of one of its ends
// exceeds its tensile strength. The stress is the mean of the principal stresses or the largest of
// them (sherd/laws.h). An element whose stress exceeds the strength breaks all its bonds except
// stronger ones.   [RBDEM] (32), docs/theory/physics.md
//
// The stress of an element is a sum over all its bonds, which bond kernels do not have at hand.
// Kernels therefore treat bonds of such materials as unbreakable, and a separate pass over these
// bonds and their ends follows.
#pragma once

#include "models/bonded/element_stress/moment_numbers.h"
#include "models/bonded/storage/adjacency.h"

#include <sherd/stress.h>

typedef struct sherd_element_criterion {
    int32_t
        // bonds of materials with such a criterion, broken ones included; if 0, all else is empty
        bond_count;
    int32_t *bond;                // their indices, ascending; owned
    sherd_moment_numbers numbers; // constants of these bonds
    int32_t element_count;        // elements that these bonds join
    sherd_element_index *element; // their indices, ascending; owned
    float *solid;                 // volume of solid that each of them represents [m^3]; owned
    uint8_t *measure;             // sherd_breakage_measure of each of them; owned
    sherd_stress *moments;        // of all bonds (moment_kernel.h); owned
    // For every element of the world, the stress that the last pass compared with strengths [Pa]; 0
    // where it is not positive, where the element has no such bonds, or where it sleeps. Owned.
    float *stress;
    double least_strength; // the smallest strength of these bonds [Pa]
    size_t bytes;          // memory of all arrays
} sherd_element_criterion;

// Returns false if memory runs short.
bool sherd_element_criterion_build(sherd_element_criterion *criterion, const sherd_bonds *bonds,
                                   const sherd_elements *elements);
void sherd_element_criterion_free(sherd_element_criterion *criterion);
size_t sherd_element_criterion_bytes(const sherd_element_criterion *criterion);

// Computes the stresses of elements. A stress that is not above `enough` [Pa] may be replaced by a
// lower bound.
void sherd_element_criterion_evaluate(sherd_element_criterion *criterion, const sherd_bonds *bonds,
                                      const sherd_elements *elements,
                                      const sherd_adjacency *adjacency,
                                      const sherd_parallel *parallel, double enough);

// Stress over strength of a bond after the last pass; 0 if it is broken or has another criterion.
double sherd_element_criterion_ratio(const sherd_element_criterion *criterion,
                                     const sherd_bonds *bonds, const sherd_elements *elements,
                                     int64_t bond);

// The largest stress ratio of all bonds.
double sherd_element_criterion_largest_ratio(const sherd_element_criterion *criterion,
                                             const sherd_bonds *bonds,
                                             const sherd_elements *elements,
                                             const sherd_parallel *parallel);

// Iterates over the bonds whose stress exceeded their strength in the last pass. Start with 0;
// returns false at the end.
bool sherd_element_criterion_next_over(const sherd_element_criterion *criterion,
                                       const sherd_bonds *bonds, const sherd_elements *elements,
                                       int32_t *cursor, int64_t *bond);
