// Bonds of a world: what joins elements. bond_blocks.h has the way a pass over all of them goes.
//
// A bond stores its ends, whether it is broken, and what is its own: a strength by chance or design, a
// stiffness by design, a section that its packing knows. Everything else follows: in a regular packing
// from its *class*, the numbers that thousands of bonds have in common (bond_classes.h), otherwise from
// the rest positions and radii of its ends and its material. sherd_bond_rest_of gives it either way.
#pragma once

#include "base/parallel.h"
#include "points/elements.h"

#include <sherd/material.h>

#include <stdbool.h>

typedef struct sherd_bond_class sherd_bond_class;

typedef struct sherd_bonds {
    int64_t count, capacity;    // m
    sherd_element_index *i, *j; // ends, i < j                               (m)
    uint16_t *class_index;      // a class, or SHERD_BOND_OWN + a material    (m)
    uint8_t *broken;            // 0 intact, 1 broken                        (m)
    float *strength;            // factor of both strengths; NULL = all are 1  (m)
    float *stiffness;           // factor of both moduli; NULL = all are 1    (m)
    float *section;             // area [m^2], 0 = of the ends' radii; NULL = all are 0 (m)
    int32_t *whole;             // number in the bonds that these are a part of; NULL = of none (m)
    int64_t broken_count;
    sherd_bond_class *classes; // found by sherd_bonds_arrange
    int class_count;
    sherd_material_def *materials; // of bonds, nameless copies
    int material_count;
    size_t material_capacity;
} sherd_bonds;

enum { SHERD_BOND_OWN = 0x8000 }; // class indices from here on: no class

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
                                  sherd_element_index count, double reach,
                                  const sherd_parallel *parallel, sherd_error *error);

// A section of its own for a bond that was added [m^2], > 0.
sherd_status sherd_bonds_set_section(sherd_bonds *bonds, int64_t bond, double area,
                                     sherd_error *error);

// A factor on the moduli and the strengths of a bond that was added, > 0.
sherd_status sherd_bonds_set_factor(sherd_bonds *bonds, int64_t bond, double factor,
                                    sherd_error *error);

// What factors did to bonds.
typedef struct sherd_bond_scaling {
    int64_t weakened; // a factor below 1
    int64_t broken;
    double least_strength; // smallest factor of those that are whole, at most 1
} sherd_bond_scaling;

// Factors on strength and moduli of the bonds from `first` on; where one is 0 the bond is broken.
// Several threads ask at once.
sherd_status sherd_bonds_scale(sherd_bonds *bonds, const sherd_elements *elements, int64_t first,
                               sherd_bond_scale_function *scale, const void *context,
                               const sherd_parallel *parallel, sherd_bond_scaling *result,
                               sherd_error *error);

void sherd_bonds_free(sherd_bonds *bonds);
size_t sherd_bonds_bytes(const sherd_bonds *bonds);

// The arrays that have an entry a bond.
enum { SHERD_BOND_COLUMNS = 8 };
typedef struct sherd_bond_column {
    void **array; // *array may be NULL
    size_t item_size;
} sherd_bond_column;
void sherd_bond_columns(sherd_bonds *bonds, sherd_bond_column columns[SHERD_BOND_COLUMNS]);

// Makes one of the optional columns, with `value` for every bond there is; nothing when it is there.
bool sherd_bonds_make_column(const sherd_bonds *bonds, float **column, float value);

// ---------------------------------------------------------------- one bond at a time

// What does not change while a bond lives.
typedef struct sherd_bond_rest {
    sherd_vec3 d0;         // rest direction i -> j, rest frame    [-]
    double l0, r0;         // rest length, bond radius             [m]
    double E, G;           // moduli                               [Pa]
    double beta;           // damping relaxation time              [s]
    double sigma_c, tau_c; // strengths, INFINITY = never          [Pa]
    sherd_bond_kind kind;
} sherd_bond_rest;

sherd_bond_rest sherd_bond_rest_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                   int64_t bond);

// For d0, l0, r0, E and G only; the other numbers may be anything.
sherd_bond_rest sherd_bond_stiffness_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                        int64_t bond);

// Of a bond of this material without looking at its class, with a strength factor of 1.
sherd_bond_rest sherd_bond_rest_from(const sherd_bonds *bonds, const sherd_material_def *material,
                                     const sherd_elements *elements, int64_t bond);

sherd_bond_kind sherd_bond_kind_of(const sherd_bonds *bonds, int64_t bond);

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
