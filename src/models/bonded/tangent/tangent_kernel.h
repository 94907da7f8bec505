// The tangent's hot loop: one block of bonds (models/bonded/storage/bond_blocks.h), compiled once per instruction set.
//
// A block works on a copy of its nodes' motions by local number and sums loads there. Positions are
// copied when a system is prepared, relative to the block's middle element and halved: differences are
// half bond vectors. What else a bond needs is its class's; nothing is stored per bond.
//
// With hb half the vector i -> j, e and k the generalised strains (network.h), force and moment are
//   g = across e + over (hb.e) hb,   h = bend k + twist (hb.k) hb
//   across = G S l0 / (4 hb^2),  over = (E S / l0 - across) / hb^2,  twist = (G J - E I) / (l0 hb^2)
// and loads  -g, g x hb - h  on i,  g, g x hb + h  on j. Tension adds  pull (dp - hb (hb.dp) / hb^2)  to g, but not to
// the moments, where dp is the relative displacement and
//   pull = E S / l0 (1 - l0 / 2 |hb|), where that is positive
//
// Laws about sections (bond_tangent.h) want both ends' orientations, too. With rho, turn and d of bond_state.h, the
// changes of the strains Gamma l0 and Omega l0 over left increments are
//   e = dp_j - dp_i - (A_i dtheta_i + A_j dtheta_j) x b,   A_i,j = 1/2 (1 +- turn [rho]),   k = B (dtheta_j - dtheta_i)
//   B = sqrt(2 turn) (1 - turn/2 rho rho'),  g = across e + over (d.e) d,  h = B (bend k + twist_over (d.k) d)
// and loads  -g, tau - turn rho x tau - h  on i,  g, tau + turn rho x tau + h  on j,  tau = g x hb: J'C J exactly.
// Their diagonal, which only preconditions, takes n for d and no rho: off by the shear angle and half the turn.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// Of a class, damping included.
enum {
    TANGENT_ALONG,      // E S / l0
    TANGENT_SHEAR,      // G S l0 / 4
    TANGENT_BEND,       // E I / l0
    TANGENT_TWIST_OVER, // (G J - E I) / l0
    TANGENT_HALF_L0,
    TANGENT_TENSION, // E S / l0 without damping, or 0: tension is not to stiffen
    TANGENT_D0,      // rest direction; three
    TANGENT_NUMBERS = TANGENT_D0 + 3,
};

// Of a bond that yields, with damping's share: how much is left of its stiffness, then a force and a moment whose square
// is subtracted, K' = theta K - (f, m)(f, m)'.
enum {
    TANGENT_YIELD_SHARE,
    TANGENT_YIELD_FORCE,
    TANGENT_YIELD_MOMENT = TANGENT_YIELD_FORCE + 3,
    TANGENT_YIELD_NUMBERS = 8, // one unused
};

// Bonds squashed to less than this share of their length count as no shorter.
#define SHERD_TANGENT_LEAST_LENGTH 0.01F

// Sums of a block for every node: of a product force and torque; of the diagonal
//   force over displacement xx yy zz yx zx zy, torque over rotation the same,
//   then s: torque over displacement is the transpose of the matrix of s x ...
enum { TANGENT_PRODUCT_SUMS = 6, TANGENT_DIAGONAL_SUMS = 15 };

// Column of the result for each sum.
typedef struct sherd_tangent_share {
    uint8_t sum, column;
    int8_t sign;
} sherd_tangent_share;

enum { TANGENT_DIAGONAL_SHARES = 18 };
static const sherd_tangent_share SHERD_TANGENT_DIAGONAL[TANGENT_DIAGONAL_SHARES] = {
    {0, 0, 1},  {1, 2, 1},   {2, 5, 1},    {3, 1, 1},   {4, 3, 1},   {5, 4, 1},
    {6, 9, 1},  {7, 14, 1},  {8, 20, 1},   {9, 13, 1},  {10, 18, 1}, {11, 19, 1},
    {14, 7, 1}, {13, 8, -1}, {14, 10, -1}, {12, 12, 1}, {13, 15, 1}, {12, 16, -1},
};
// Columns that only springs add to: a rotation about an axis and the displacement along it.
static const uint8_t SHERD_TANGENT_EMPTY[3] = {6, 11, 17};

typedef struct sherd_tangent_block {
    const sherd_bond_block *bonds;
    int32_t local, halo; // elements, own and others; others
    // Positions by local number, three columns; whole vectors may be read beyond the last; owned.
    float *half;
    size_t half_column; // numbers from one column to the next, of orientations too
    float *orientation; // four columns, likewise; NULL: no law is about sections
    float *halo_load;   // for other blocks, TANGENT_DIAGONAL_SUMS columns; owned
    size_t halo_column; // whole vectors
    // Loose bonds go through rows of numbers; packets, row groups, and loose bonds if there are few, through
    // columns.
    bool with_rows, with_columns;
    double energy; // x . K x of the last product's bonds, if asked for, and inertia
} sherd_tangent_block;

// Of one thread, by local number.
typedef struct sherd_tangent_scratch {
    float *x;         // motion, six columns
    float *load;      // sums, up to TANGENT_DIAGONAL_SUMS columns
    size_t column;    // numbers from one column to the next
    float *rows;      // half position, motion; 16 numbers a node
    float *load_rows; // 8 numbers a node
    float *memory;    // owned
} sherd_tangent_scratch;

typedef struct sherd_tangent_pass {
    const float *classes;       // TANGENT_NUMBERS each
    const float *mass, *moment; // c m, c I of elements
    // What bonds that yield have beside their elastic stiffness (bonds x TANGENT_YIELD_NUMBERS), NULL: none yields.
    const float *yielding;
    float damping;  // c' [1/s]
    bool tension;   // stiffens
    size_t stride;  // between columns of vectors
    const float *x; // the vector to multiply,
    const float *z; // or NULL; otherwise z + beta x is multiplied
    float beta;
    float *turned; // and written here
    float *y;      // product, or diagonal blocks
    bool with_energy;
} sherd_tangent_pass;

// Writes sums for the block's own elements to y, those for others to halo_load.
typedef void sherd_tangent_function(const sherd_tangent_pass *pass, sherd_tangent_block *block,
                                    const sherd_tangent_scratch *scratch);

sherd_tangent_function sherd_tangent_product_single_baseline;
sherd_tangent_function sherd_tangent_product_single_avx2;   // x86-64 only
sherd_tangent_function sherd_tangent_product_single_avx512; // x86-64 only
sherd_tangent_function sherd_tangent_blocks_single_baseline;
sherd_tangent_function sherd_tangent_blocks_single_avx2;   // x86-64 only
sherd_tangent_function sherd_tangent_blocks_single_avx512; // x86-64 only
