// The contact springs of a linear system, sorted by node so that products with them need no atomics.
#pragma once

#include "linear/linear_system.h"

// Valid when zero-filled.
typedef struct sherd_spring_set {
    size_t count, capacity;
    sherd_contact_spring *springs; // copies; owned
    float *force;                  // of the last product, 3 each; owned
    // Nodes that have springs, ascending, and the ends of their lists (touched_count); each list
    // begins where the previous one ends.
    size_t touched_count, touched_capacity;
    int32_t *touched;   // owned
    uint32_t *list_end; // owned
    uint32_t *list;     // 2 spring + (1 if the node is its j); owned
    // Scratch by node, for building.
    size_t node_capacity;
    uint32_t *per_node; // owned
} sherd_spring_set;

sherd_status sherd_spring_set_build(sherd_spring_set *set, const sherd_linear_system *system,
                                    sherd_error *error);
void sherd_spring_set_free(sherd_spring_set *set);
size_t sherd_spring_set_bytes(const sherd_spring_set *set);

// Computes the force of every spring in K x. Returns x . K x.
double sherd_spring_set_stretch(const sherd_spring_set *set, const float *x, size_t stride,
                                const sherd_parallel *parallel);
// Adds these forces to y, for nodes [begin, end).
void sherd_spring_set_pull(const sherd_spring_set *set, float *y, size_t stride, size_t begin,
                           size_t end);
// Adds to the diagonal blocks of nodes [begin, end) (linear_matrix.h).
void sherd_spring_set_diagonal(const sherd_spring_set *set, float *blocks, size_t stride,
                               size_t begin, size_t end);
