// Bonds of a world: what joins elements, in the order in which kernels walk them.
//
// Elements are cut into blocks of SHERD_BLOCK_ELEMENTS consecutive ones. A block computes every bond
// that touches it and adds only to its own elements, so blocks run in parallel without atomics and
// the order of additions never depends on threads. A bond between two blocks is computed twice.
//
//        block 0               block 1
//   [ e e e e e e e ]     [ e e e e e e e ]
//      \_inner_/   \_______/          inner:   both ends here, adds to both
//                   outer of 0        near:    i here, adds to i     (owned: breakage, energy)
//                   and of 1          far:     j here, adds to j     (a copy of the owner's work)
//
// Bonds are sorted by owning block, material, inner or near, i, j. Each block keeps lists of the
// intact ones; broken bonds are dropped from the lists now and then, never in the hot loop.
#pragma once

#include "base/parallel.h"
#include "element/elements.h"

#include <sherd/material.h>

enum { SHERD_BLOCK_ELEMENTS = 4096 };

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

// Law and criterion together select the kernel; a list segment holds one kind only.
typedef enum sherd_bond_kind {
    SHERD_BOND_QUATERNION_TENSILE,
    SHERD_BOND_QUATERNION_ABSOLUTE,
    SHERD_BOND_LU_TENSILE,
    SHERD_BOND_LU_ABSOLUTE,
    SHERD_BOND_KIND_COUNT,
} sherd_bond_kind;

typedef enum sherd_bond_role {
    SHERD_BOND_INNER, // adds to i and j
    SHERD_BOND_NEAR,  // adds to i
    SHERD_BOND_FAR,   // adds to j
    SHERD_BOND_ROLE_COUNT,
} sherd_bond_role;

typedef struct sherd_bond_block {
    sherd_element_index begin, end; // its elements
    int32_t *list;                  // bonds to compute, by kind, then role; owned
    int32_t start[SHERD_BOND_KIND_COUNT * SHERD_BOND_ROLE_COUNT + 1]; // segments of `list`
    int32_t broken_in_list; // listed bonds that have broken since the last compaction
    int32_t *newly_broken;  // owned bonds found broken by the last pass; owned storage
    int32_t newly_broken_count;
    double damping_power; // of owned bonds, last pass [W]
} sherd_bond_block;

// Kernels read an element's state and add to its load as whole cache lines: one load instead of a
// gather per number.
//   state  px py pz qx qy qz qw vx | vy vz wx wy wz 0 0 0     (n x 16)
//   load   fx fy fz tx ty tz 0 0                              (n x 8)
enum { SHERD_PACKED_STATE = 16, SHERD_PACKED_LOAD = 8 };

typedef struct sherd_bond_blocks {
    int count;
    sherd_bond_block *blocks;
    double *state, *load; // filled by sherd_bonds_apply; owned
} sherd_bond_blocks;

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

// Sorts all bonds into walking order and cuts elements into blocks. Call once, when all are added.
sherd_status sherd_bonds_arrange(sherd_bonds *bonds, sherd_element_index element_count,
                                 sherd_bond_blocks *blocks, sherd_error *error);

// Drops broken bonds from the lists of blocks where they exceed 1/8 of the list, or from all lists
// when `all` is set.
void sherd_bond_blocks_compact(sherd_bond_blocks *blocks, const sherd_bonds *bonds, int all);
void sherd_bond_blocks_free(sherd_bond_blocks *blocks);

// ---------------------------------------------------------------- one pass over all bonds

// Sets elements->f*, t* to the bonds' loads and fills every block's newly_broken and damping_power.
// `scalar` picks the scalar reference kernel; otherwise the widest the machine has. Both give
// bitwise the same result.
typedef enum sherd_bond_kernel {
    SHERD_BOND_KERNEL_BEST,
    SHERD_BOND_KERNEL_SCALAR
} sherd_bond_kernel;

void sherd_bonds_apply(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                       sherd_elements *elements, const sherd_parallel *parallel,
                       sherd_bond_kernel kernel);

// Name of the instruction set the best kernel uses on this machine ("avx512", "avx2", "baseline").
const char *sherd_bonds_kernel_name(void);

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
