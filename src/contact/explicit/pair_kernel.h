// Interface of the inner loop over the pairs of one block, compiled once per instruction set.
#pragma once

#include "contact/contact_count.h"
#include "contact/explicit/pair_list.h"
#include "laws/contact/contact_law.h"

// State of a member as consecutive doubles, so that a pair reads its ends as a few cache lines:
// three parts of eight doubles. Velocities and spins enter as differences and sums of two members,
// which are computed on whole parts.
enum {
    SHERD_PAIR_PART = 8,
    SHERD_PAIR_MOTION = 0, // position, velocity, radius, n/m
    SHERD_PAIR_P = 0,
    SHERD_PAIR_V = 3,
    SHERD_PAIR_RADIUS = 6,
    SHERD_PAIR_WEIGHTED_MOBILITY = 7, // added for both ends; 0 of held elements
    SHERD_PAIR_TURNING = 8,           // angular velocity (subtracted and added), radius, 1/m
    SHERD_PAIR_W_LESS = 0,
    SHERD_PAIR_W_MORE = 3,
    SHERD_PAIR_REACH = 6,
    SHERD_PAIR_MOBILITY = 7, // 0 of held elements
    SHERD_PAIR_LOADS = 16,   // force, torque, number of pressing contacts
    SHERD_PAIR_TOUCHING = 6,
    SHERD_PAIR_ROW = 24,
};

// Scratch memory of one thread to compute a block. Members have a row if one of their pairs is
// evaluated; in dense blocks all have one. Pairs to evaluate are listed by their indices in the
// block, with the rows of both ends and their slots; the last is repeated to fill vectors.
typedef struct sherd_pair_scratch {
    // By local number:
    double *x, *y, *z, *radius; // larger at cracks (members)
    uint8_t *asleep;            // (members)
    int32_t *row_of;            // (members)
    // By row:
    int32_t row_count;
    int32_t *local;               // (members)
    sherd_element_index *element; // (members)
    double *rows;                 // (members x SHERD_PAIR_ROW)
    uint16_t *material;           // (members)
    // Pairs to evaluate:
    int32_t *active, *end_i, *end_j, *slot; // (pairs)
    size_t member_capacity, pair_capacity;
} sherd_pair_scratch;

typedef struct sherd_pair_slides sherd_pair_slides; // pair_crack_faces.h

typedef struct sherd_pair_law {
    const sherd_contact_pairing *pairings; // (materials x materials), one potential and width
    int material_count;
    double dt;                       // since the last pass; 0: nothing moved [s]
    sherd_contact_count counts;      // borrowed
    const sherd_pair_slides *slides; // NULL: there are no cracks
} sherd_pair_law;

// Lists the pairs to evaluate in scratch->active (those nearer than their radii, and those with a
// history), and copies the states of their ends. Returns their number.
typedef int32_t sherd_pair_find_function(const sherd_pair_law *law, const sherd_pair_block *block,
                                         const sherd_points *points, sherd_pair_scratch *scratch);

// Evaluates the `count` pairs in scratch->active: adds their loads to the block's own elements,
// stores the halo's in block->halo_load, advances histories, counts pressing contacts and sets
// block->sums.
typedef void sherd_pair_evaluate_function(const sherd_pair_law *law, sherd_pair_block *block,
                                          sherd_points *points, const sherd_pair_scratch *scratch,
                                          int32_t count);

// avx2 and avx512 on x86-64 only:
sherd_pair_find_function sherd_pair_find_baseline;
sherd_pair_find_function sherd_pair_find_avx2;
sherd_pair_find_function sherd_pair_find_avx512;
sherd_pair_evaluate_function sherd_pair_evaluate_baseline;
sherd_pair_evaluate_function sherd_pair_evaluate_avx2;
sherd_pair_evaluate_function sherd_pair_evaluate_avx512;
