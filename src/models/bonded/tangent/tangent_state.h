// The tangent's copy of its system. Only for tangent*.c and tests.
#pragma once

#include "base/cpu.h"
#include "laws/bond/bond_stiffness.h"
#include "models/bonded/tangent/tangent.h"
#include "models/bonded/tangent/tangent_kernel.h"

// Constants of a class for the springs of its bonds (tangent_apply.c).
typedef struct sherd_tangent_numbers {
    sherd_bond_stiffness k; // undeformed
    double l0;              // reference length [m]
    sherd_bond_law law;
    double beta; // relaxation time of damping [s]
} sherd_tangent_numbers;

struct sherd_tangent {
    sherd_tangent_parts parts;
    sherd_parallel parallel;
    size_t elements, stride;
    // the blocks that `blocks` and `scratch` were made for; borrowed
    const sherd_bond_blocks *bond_blocks;
    bool tension, oriented; // oriented: some law is about sections
    float damping;

    size_t block_count;
    sherd_tangent_block *blocks;    // one for each block of bond_blocks; owned
    size_t block_bytes;             // memory that they own
    int32_t max_local;              // largest number of local elements of a block
    size_t scratch_count;           // number of threads
    sherd_tangent_scratch *scratch; // owned
    size_t scratch_bytes;           // memory of each

    float *classes; // TANGENT_NUMBERS each; owned
    size_t class_capacity;
    sherd_tangent_numbers *numbers; // of classes; owned
    size_t number_capacity;
    float *yielding; // TANGENT_YIELD_NUMBERS for every bond, if some material yields; owned
    size_t yielding_capacity;
    bool yields;          // some material yields
    float *mass, *moment; // c m, c I of elements; owned
    size_t mass_capacity, moment_capacity;

    sherd_tangent_function *product, *diagonal;
};

// Selects a compiled kernel, if this machine supports it. New tangents use the widest.
void sherd_tangent_use(sherd_tangent *tangent, sherd_simd kind);

// Allocates blocks and scratch; reuses memory that is large enough.
sherd_status sherd_tangent_make_scratch(sherd_tangent *tangent, sherd_error *error);
void sherd_tangent_free_scratch(sherd_tangent *tangent);

// Computes the constants of classes; call sherd_tangent_make_scratch first.
void sherd_tangent_prepare_numbers(sherd_tangent *tangent);

// Functions of the operator (linear/linear_operator.h):

void sherd_tangent_multiply(void *state, const sherd_linear_pass *pass);
void sherd_tangent_finish_product(const void *state, size_t part, float *y);
void sherd_tangent_diagonal(void *state, float *blocks);
void sherd_tangent_finish_diagonal(const void *state, size_t part, float *blocks);
void sherd_tangent_add_springs(const void *state, const sherd_linear_system *system,
                               const uint32_t *bonds, int64_t count, sherd_vec3 centre,
                               double spring[SHERD_SPRING_NUMBERS]);
void sherd_tangent_hold_stiffness(const void *state, const sherd_linear_system *system,
                                  int32_t element, double *translational, double *rotational);
