// The kernel of the tangent: one block of bonds (models/bonded/storage/bond_blocks.h), compiled
// once per instruction set.
//
// A block copies the motions of its nodes to local numbering and sums loads there. Positions are
// copied when a system is prepared, relative to the block's middle element and halved: their
// differences are half bond vectors. All other constants of a bond are those of its class; nothing
// is stored per bond.
//
// With hb half the vector i -> j, e and k the generalised strains (network.h), force and moment are
//   g = across e + over (hb.e) hb,   h = bend k + twist (hb.k) hb
//   across = G S l0 / (4 hb^2),  over = (E S / l0 - across) / hb^2,  twist = (G J - E I) / (l0 hb^2)
// and loads  -g, g x hb - h  on i,  g, g x hb + h  on j. Tension adds  pull (dp - hb (hb.dp) /
// hb^2)  to g, but not to the moments, where dp is the relative displacement and
//   pull = E S / l0 (1 - l0 / 2 |hb|), where that is positive
//
// Laws about sections (bond_tangent.h) also depend on both ends' orientations. With rho, turn and d
// of bond_state.h, the changes of the strains Gamma l0 and Omega l0 over left increments are
//   e = dp_j - dp_i - (A_i dtheta_i + A_j dtheta_j) x b,   A_i,j = 1/2 (1 +- turn [rho]),   k = B (dtheta_j - dtheta_i)
//   B = sqrt(2 turn) (1 - turn/2 rho rho'),  g = across e + over (d.e) d,  h = B (bend k + twist_over (d.k) d)
// and loads  -g, tau - turn rho x tau - h  on i,  g, tau + turn rho x tau + h  on j,  tau = g x hb:
// exactly J'C J. Their diagonal, which is used for preconditioning only, has n for d and no rho: it
// is off by the shear angle and half the rotation.
#pragma once

#include "models/bonded/storage/bond_blocks.h"

// The constants of a class, including damping.
enum {
    TANGENT_ALONG,      // E S / l0
    TANGENT_SHEAR,      // G S l0 / 4
    TANGENT_BEND,       // E I / l0
    TANGENT_TWIST_OVER, // (G J - E I) / l0
    TANGENT_HALF_L0,
    TANGENT_TENSION, // E S / l0 without damping, or 0 if tension is not to stiffen
    TANGENT_D0,      // reference direction, three
    TANGENT_NUMBERS = TANGENT_D0 + 3,
};

// The constants of a yielding bond, including damping: the remaining fraction theta of its
// stiffness, then a force and a moment whose square is subtracted, K' = theta K - (f, m)(f, m)'.
enum {
    TANGENT_YIELD_FRACTION,
    TANGENT_YIELD_FORCE,
    TANGENT_YIELD_MOMENT = TANGENT_YIELD_FORCE + 3,
    TANGENT_YIELD_NUMBERS = 8, // one unused
};

// Bonds compressed below this fraction of their length are treated as having this length.
#define SHERD_TANGENT_MIN_LENGTH 0.01F

// Sums of a block for every node: for products force and torque; for the diagonal
//   force over displacement xx yy zz yx zx zy, torque over rotation the same,
//   then s: torque over displacement is the transpose of the matrix of s x ...
enum { TANGENT_PRODUCT_SUMS = 6, TANGENT_DIAGONAL_SUMS = 15 };

// The column of the result for each sum.
typedef struct sherd_tangent_column {
    uint8_t sum, column;
    int8_t sign;
} sherd_tangent_column;

enum { TANGENT_DIAGONAL_COLUMNS = 18 };
static const sherd_tangent_column SHERD_TANGENT_DIAGONAL[TANGENT_DIAGONAL_COLUMNS] = {
    {0, 0, 1},  {1, 2, 1},   {2, 5, 1},    {3, 1, 1},   {4, 3, 1},   {5, 4, 1},
    {6, 9, 1},  {7, 14, 1},  {8, 20, 1},   {9, 13, 1},  {10, 18, 1}, {11, 19, 1},
    {14, 7, 1}, {13, 8, -1}, {14, 10, -1}, {12, 12, 1}, {13, 15, 1}, {12, 16, -1},
};
// Columns to which only springs add: a rotation about an axis and the displacement along it.
static const uint8_t SHERD_TANGENT_EMPTY[3] = {6, 11, 17};

typedef struct sherd_tangent_block {
    const sherd_bond_block *bonds;
    int32_t local, halo; // own and halo elements; halo elements
    // Positions by local number, three columns; whole vectors may be read beyond the last. Owned.
    float *half;
    size_t half_column; // entries from one column to the next, also of orientations
    float *orientation; // four columns; NULL: no law is about sections
    float *halo_load;   // loads for other blocks, TANGENT_DIAGONAL_SUMS columns; owned
    size_t halo_column; // entries from one column to the next, whole vectors
    // Loose bonds use rows of states; packets, row groups, and few loose bonds use columns.
    bool with_rows, with_columns;
    double energy; // x . K x of the last product's bonds and of inertia, if asked for
} sherd_tangent_block;

// Work arrays of one thread, by local number.
typedef struct sherd_tangent_scratch {
    float *x;         // motion, six columns
    float *load;      // sums, up to TANGENT_DIAGONAL_SUMS columns
    size_t column;    // entries from one column to the next
    float *rows;      // half position and motion, 16 numbers for each node
    float *load_rows; // 8 numbers for each node
    float *memory;    // owned
} sherd_tangent_scratch;

typedef struct sherd_tangent_pass {
    const float *classes;       // TANGENT_NUMBERS each
    const float *mass, *moment; // c m and c I of elements
    // Changes of stiffness of yielding bonds (bonds x TANGENT_YIELD_NUMBERS); NULL: no bond yields.
    const float *yielding;
    float damping;  // c' [1/s]
    bool tension;   // tension stiffens
    size_t stride;  // entries from one column of vectors to the next
    const float *x; // the vector to multiply
    const float *z; // if not NULL, z + beta x is multiplied
    float beta;
    float *turned; // and stored here
    float *y;      // product, or diagonal blocks
    bool with_energy;
} sherd_tangent_pass;

// Writes sums for the block's own elements to y, those for other blocks to halo_load.
typedef void sherd_tangent_function(const sherd_tangent_pass *pass, sherd_tangent_block *block,
                                    const sherd_tangent_scratch *scratch);

sherd_tangent_function sherd_tangent_product_single_baseline;
sherd_tangent_function sherd_tangent_product_single_avx2;   // x86-64 only
sherd_tangent_function sherd_tangent_product_single_avx512; // x86-64 only
sherd_tangent_function sherd_tangent_blocks_single_baseline;
sherd_tangent_function sherd_tangent_blocks_single_avx2;   // x86-64 only
sherd_tangent_function sherd_tangent_blocks_single_avx512; // x86-64 only
