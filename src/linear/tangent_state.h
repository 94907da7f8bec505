// What a tangent remembers of its system. For tangent*.c and tests.
#pragma once

#include "base/cpu.h"
#include "linear/spring_set.h"
#include "linear/tangent.h"
#include "linear/tangent_kernel.h"

struct sherd_tangent {
    sherd_parallel parallel;
    size_t elements, nodes, stride;
    const sherd_bond_blocks *bond_blocks; // borrowed
    bool tension;
    float damping;

    size_t block_count;
    sherd_tangent_block *blocks;    // as bond_blocks has; owned
    size_t block_bytes;             // what they own
    int32_t most_local;             // of any block
    size_t scratch_count;           // threads
    sherd_tangent_scratch *scratch; // owned
    size_t scratch_bytes;           // of each

    float *classes; // TANGENT_NUMBERS each; owned
    size_t class_capacity;
    float *mass, *moment; // c m, c I of elements; owned
    size_t mass_capacity, moment_capacity;
    sherd_node_inertia *bodies; // times c; owned
    size_t body_count, body_capacity;
    sherd_element_index *held; // elements with held freedoms, ascending; owned
    uint8_t *held_bits;        // owned
    size_t held_count, held_capacity, held_bits_capacity;
    sherd_spring_set springs;

    sherd_tangent_function *product, *diagonal;
};

// Which compiled kernel to use, if this machine can; created tangents use the best.
void sherd_tangent_use(sherd_tangent *tangent, sherd_simd kind);

// Where blocks and scratch get their memory; keeps what fits.
sherd_status sherd_tangent_make_room(sherd_tangent *tangent, const sherd_linear_system *system,
                                     sherd_error *error);
void sherd_tangent_free_room(sherd_tangent *tangent);

// Makes held freedoms of nodes [begin, end) zero, or their diagonal blocks those of the identity.
void sherd_tangent_hold(const sherd_tangent *tangent, float *x, size_t begin, size_t end);
void sherd_tangent_hold_blocks(const sherd_tangent *tangent, float *blocks, size_t begin,
                               size_t end);
