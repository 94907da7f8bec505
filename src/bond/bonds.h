// Bonds of a world: what joins elements. bond_blocks.h has the way a pass over all of them goes.
#pragma once

#include "base/parallel.h"
#include "element/elements.h"

#include <sherd/material.h>

#include <stdbool.h>

typedef struct sherd_bonds {
    int64_t count, capacity;    // m
    sherd_element_index *i, *j; // ends, i < j                               (m)
    double *d0x, *d0y, *d0z;    // rest direction i -> j, rest frame    [-]  (m)
    double *l0, *r0;            // rest length, bond radius             [m]  (m)
    double *E, *G;              // moduli                               [Pa] (m)
    double *beta;               // damping relaxation time              [s]  (m)
    double *sigma_c, *tau_c;    // strengths, INFINITY = never          [Pa] (m)
    uint8_t *kind;              // sherd_bond_kind                           (m)
    uint8_t *broken;            // 0 intact, 1 broken                        (m)
    int64_t broken_count;
} sherd_bonds;

// Law and criterion together select the kernel.
typedef enum sherd_bond_kind {
    SHERD_BOND_QUATERNION_TENSILE,
    SHERD_BOND_QUATERNION_ABSOLUTE,
    SHERD_BOND_LU_TENSILE,
    SHERD_BOND_LU_ABSOLUTE,
    SHERD_BOND_KIND_COUNT,
} sherd_bond_kind;

// ---------------------------------------------------------------- building

// Adds one bond with its rest geometry taken from the elements' rest positions and stiffness,
// strengths and damping from the material. `index` numbers the random strengths.
sherd_status sherd_bonds_add(sherd_bonds *bonds, const sherd_elements *elements,
                             const sherd_material_def *material, sherd_element_index i,
                             sherd_element_index j, uint64_t index, sherd_error *error);

// Joins all pairs among elements [first, first + count) whose rest gap is at most
// reach * (smaller radius). Pairs come in order of (i, j).
sherd_status sherd_bonds_add_near(sherd_bonds *bonds, const sherd_elements *elements,
                                  const sherd_material_def *material, sherd_element_index first,
                                  sherd_element_index count, double reach, sherd_error *error);

void sherd_bonds_free(sherd_bonds *bonds);
size_t sherd_bonds_bytes_each(void);

// ---------------------------------------------------------------- one bond at a time

typedef struct sherd_bond_analysis {
    double energy;                          // [J]
    double normal_stress, shear_stress;     // sigma, tau of the material's criterion [Pa]
    double stress_ratio;                    // max(sigma / sigma_c, tau / tau_c)
    sherd_vec3 force_j, torque_i, torque_j; // with damping
} sherd_bond_analysis;

sherd_bond_analysis sherd_bond_analyse(const sherd_bonds *bonds, const sherd_elements *elements,
                                       int64_t bond);

// Elastic energy of all intact bonds [J].
double sherd_bonds_energy(const sherd_bonds *bonds, const sherd_elements *elements,
                          const sherd_parallel *parallel);
