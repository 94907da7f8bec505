// Inner loops of multigrid, compiled once per instruction set. All vectors and packed blocks are
// columns of `stride` numbers. Loops run over vectors of 16 nodes; [begin, end) counts those.
#pragma once

#include "linear/multigrid/coarse_level.h"

typedef enum sherd_coarse_mode {
    SHERD_COARSE_APPLY,    // y = A z
    SHERD_COARSE_RESIDUAL, // y = b - A z
    SHERD_COARSE_SMOOTH,   // y = z + D (b - A z), D: the level's smoother
} sherd_coarse_mode;

typedef struct sherd_coarse_product {
    sherd_coarse_matrix matrix;
    sherd_coarse_mode mode;
    const float *b, *z;
    const float *rows; // z in row format
    float *y;
    // By node, z . A z: the energies of its springs, half of those to its neighbours, each of which
    // is a square. Computed as z . y it would be lost in the rounding of y if z is nearly a rigid
    // motion. NULL: not requested.
    double *energy;
} sherd_coarse_product;

// The six columns of a vector as rows of eight numbers, the last two 0, which products read in any
// order.
typedef struct sherd_coarse_rows {
    size_t stride;
    const float *z;
    float *rows; // (8 x stride)
} sherd_coarse_rows;

// Products of blocks and vectors, node by node.
typedef struct sherd_block_product {
    size_t stride;
    const float *blocks; // packed (21 x stride)
    const float *b, *t;  // t may be NULL: 0
    const float *z;      // may be NULL: 0
    float *y;            // z + blocks (b - t); may be z
} sherd_block_product;

// Transfer between the nodes of a level and their parent clusters.
typedef struct sherd_coarse_transfer {
    size_t fine_stride, stride;
    const float *offset;   // (3 x fine_stride)
    const int32_t *parent; // (fine_stride)
    const int32_t *child_start, *child;
    const float *b, *t; // of the finer level: b - t is restricted; t may be NULL: 0
    float *right;       // of this level
    const float *solution;
    float *z; // of the finer level
} sherd_coarse_transfer;

typedef struct sherd_coarse_kernels {
    void (*rows)(const sherd_coarse_rows *r, size_t begin, size_t end);
    void (*product)(const sherd_coarse_product *p, size_t begin, size_t end);
    void (*blocks)(const sherd_block_product *p, size_t begin, size_t end);
    // Rows [begin, end): right = sum over members of the load b - t, relative to the centre.
    void (*restrict_load)(const sherd_coarse_transfer *t, size_t begin, size_t end);
    // z += the parents' rigid motion `solution`.
    void (*add_motion)(const sherd_coarse_transfer *t, size_t begin, size_t end);
    // Inverts packed symmetric positive definite blocks in place. A zero diagonal gives zeros, and
    // pivots lost to rounding are replaced by a lower bound, so that the inverse stays positive.
    void (*invert)(float *blocks, size_t stride, size_t begin, size_t end);
} sherd_coarse_kernels;

extern const sherd_coarse_kernels sherd_coarse_kernels_single_baseline;
extern const sherd_coarse_kernels sherd_coarse_kernels_single_avx2;   // x86-64 only
extern const sherd_coarse_kernels sherd_coarse_kernels_single_avx512; // x86-64 only
