// One level of rigid clusters.    docs/theory/implicit.md
//
// Nodes are clusters of the finer level's nodes (of points and free bodies on the first level) that
// move rigidly; a node's motion is that of its centre. The Galerkin operator for rigid motions is
// again a network: springs between neighbouring nodes and from nodes to the ground, and inertia,
//   (A x)_i = G_i x_i + sum over neighbours j of S_ij (x_i - (motion of j at i's centre))
// Only differences of motions enter, so that common rigid motions cancel in single precision, too.
//
// Springs of edges are stored in slices of 16 rows, those of contacts in separate plain rows:
// contacts change with every state, the layout of slices only with the topology. Springs are
// relative to the centre of their row.
#pragma once

#include "base/parallel.h"
#include "linear/multigrid/clusters.h"
#include "linear/rigid_spring.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SHERD_COARSE_LANES = 16,
    SHERD_COARSE_NUMBERS = SHERD_SPRING_NUMBERS + 3, // per entry: the spring and the offset
    SHERD_COARSE_ROW = 8,                            // six numbers of a node, padded
};

// In double precision: a contact is singular along a sliding direction, and in long steps inertia
// is far below the rounding of its stiffness to single precision. Offset: from the column's to the
// row's centre.
typedef struct sherd_coarse_contact {
    int32_t column;
    float offset[3];
    double spring[SHERD_SPRING_NUMBERS];
} sherd_coarse_contact;

// Data of products with the level's matrix. Entry k of row r is in lane r % 16 of slot
// slice_start[r / 16] + k; rows have as many slots as the longest of their slice, and unused
// entries have the row's own column and no spring. Number c of a slot: values[(slot * 24 + c) * 16
// + lane].
typedef struct sherd_coarse_matrix {
    size_t stride;                // of columns of vectors, ground, smoother
    const int32_t *slice_start;   // (slices + 1)
    const int32_t *column;        // (slots x 16)
    const float *values;          // (slots x 24 x 16)
    const float *ground;          // G, packed (21 x stride)
    const float *smoother;        // (G + sum of S / omega)^-1, packed (21 x stride)
    const int32_t *contact_start; // (stride + 1)
    const sherd_coarse_contact *contacts;
} sherd_coarse_matrix;

typedef struct sherd_coarse_level {
    int32_t count;     // nodes
    int32_t joined;    // [0, joined) have neighbours by edges
    int32_t lasting;   // [lasting, count) have neither neighbours nor several members
    int32_t used;      // [used, count) are unused at present: no contact connects them
    size_t stride;     // > count
    size_t fine_count; // nodes of the finer level
    size_t fine_stride;

    // Functions of the topology, all owned:
    int32_t
        *parent; // by finer node; `stride` - 1, where vectors are 0, if there is none (fine_stride)
    int32_t *child_start; // (count + 1)
    int32_t *child;       // finer nodes, ascending
    int64_t *row_start;   // (count + 1)
    int32_t *neighbour;   // (entries)
    int64_t target_count;
    // by entry of the finer level's rows: the entry of this level it adds to, or -1
    int64_t *target;
    int32_t *links; // by entry: intact edges between the two (cluster_connectivity.h)
    int32_t *slice_start, *column;

    // Functions of the state, all owned:
    double *centre[3]; // of mass [m]; 0 for bodies
    double *mass;      // [kg]
    float *offset;     // by finer node: its centre minus the parent's (3 x fine_stride)
    float *values, *ground, *smoother;
    double *exact_ground; // the ground in double precision, for coarser levels and the inverse
    int32_t *contact_start;
    // Springs to the ground have the column `stride` - 1, where vectors are 0.
    sherd_coarse_contact *contacts;
    size_t contact_capacity;
    int32_t joining;      // contacts between two nodes
    double *inverse;      // of the whole matrix, on levels of few nodes (coarse_dense.h)
    int32_t inverse_size; // 0: none
    float *vectors;       // work vectors of 6 stride each (SHERD_COARSE_VECTORS)
    double *energy;       // by node, of the last multiplied vector (stride)
    float *rows;          // of the vector to be multiplied (SHERD_COARSE_ROW x stride)
} sherd_coarse_level;

enum {
    SHERD_COARSE_RIGHT,    // right-hand side from the finer level, then the residual
    SHERD_COARSE_SOLUTION, // what it gets
    SHERD_COARSE_DIRECTION,
    SHERD_COARSE_PRODUCT, // of the direction
    SHERD_COARSE_CORRECTION,
    SHERD_COARSE_SMOOTHED,
    SHERD_COARSE_VECTORS,
};

// Builds everything that depends on the topology; sherd_coarse_level_free is also required after a
// failure.
sherd_status sherd_coarse_level_build(sherd_coarse_level *level, const sherd_graph *finer,
                                      size_t fine_stride, const int32_t *cluster,
                                      const sherd_clusters *clusters,
                                      const sherd_parallel *parallel, sherd_error *error);
void sherd_coarse_level_free(sherd_coarse_level *level);
size_t sherd_coarse_level_bytes(const sherd_coarse_level *level);

static inline sherd_graph sherd_coarse_graph(const sherd_coarse_level *level)
{
    return (sherd_graph){level->count, level->row_start, level->neighbour};
}

static inline sherd_coarse_matrix sherd_coarse_matrix_of(const sherd_coarse_level *l)
{
    return (sherd_coarse_matrix){l->stride, l->slice_start, l->column,        l->values,
                                 l->ground, l->smoother,    l->contact_start, l->contacts};
}

static inline float *sherd_coarse_vector(const sherd_coarse_level *level, int which)
{
    return level->vectors + (size_t)which * 6 * level->stride;
}

static inline void sherd_coarse_set_ground(sherd_coarse_level *level, int32_t row,
                                           const double ground[SHERD_SPRING_NUMBERS])
{
    for (size_t n = 0; n < SHERD_SPRING_NUMBERS; ++n) {
        size_t at = n * level->stride + (size_t)row;
        level->exact_ground[at] = ground[n];
        level->ground[at] = (float)ground[n];
    }
}

// Index of number 0 of an entry; the next is SHERD_COARSE_LANES later.
static inline float *sherd_coarse_entry(const sherd_coarse_level *level, int32_t row, int64_t entry)
{
    int64_t slot = level->slice_start[row / SHERD_COARSE_LANES] + (entry - level->row_start[row]);
    return level->values + slot * SHERD_COARSE_NUMBERS * SHERD_COARSE_LANES +
           row % SHERD_COARSE_LANES;
}
