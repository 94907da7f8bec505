// How a pass over all bonds is cut for threads and vectors.
//
// Elements are cut into blocks of SHERD_BLOCK_ELEMENTS consecutive ones. A bond belongs to the block
// of its lower end i, which computes it once. A block works on a copy of its elements' state in
// local numbers and sums loads there: no atomics, and the order of additions never depends on
// threads.
//
//   local number   0 ...................... own | own ................... own + halo
//                  the block's own elements     | ends j in later blocks, ascending
//
// Loads on the halo go to the block's share of `halo_load`; a second pass adds them to their
// elements, in block order.
//
// Bonds of a block are walked in two ways. Where elements follow each other along a lattice row, so
// do their neighbours in the next row: a *group* is a run of up to 8 or 16 consecutive
// elements, a *packet* holds the bonds that join lane k of the group to element j + k, all with the
// same rest geometry and stiffness (their *class*), so nothing is gathered and nothing is stored
// per bond but a bit that says whether it lives. All other bonds are *loose*: listed one by one,
// their ends gathered.
//
//      group    i  i+1 i+2 i+3  ...         one row
//                \   \   \   \                            class, alive bits
//      packet     j  j+1 j+2 j+3  ...       the next row
#pragma once

#include "bond/bonds.h"

#include <sherd/world.h>

// Lanes of a group: what one vector of the widest instruction set holds.
enum { SHERD_BLOCK_ELEMENTS = 4096, SHERD_BOND_WIDTH_DOUBLE = 8, SHERD_BOND_WIDTH_MIXED = 16 };

// Rest geometry, stiffness and limits that many bonds share: the fields of bond_section
// (bond_state.h) and bond_limit (breakage.h) that laws use.
enum {
    SHERD_CLASS_D0, // three
    SHERD_CLASS_HALF_L0 = 3,
    SHERD_CLASS_INVERSE_L0,
    SHERD_CLASS_STRETCH,
    SHERD_CLASS_SHEAR,
    SHERD_CLASS_SHEAR_FORCE,
    SHERD_CLASS_BEND2,
    SHERD_CLASS_TWIST2,
    SHERD_CLASS_BEND_OVER_TWIST2,
    SHERD_CLASS_DAMP_SHEAR,
    SHERD_CLASS_DAMP_STRETCH_OVER,
    SHERD_CLASS_DAMP_BEND,
    SHERD_CLASS_DAMP_TWIST_OVER,
    SHERD_CLASS_BEND_WEIGHT2,
    SHERD_CLASS_TWIST_WEIGHT,
    SHERD_CLASS_NORMAL_LIMIT,
    SHERD_CLASS_SHEAR_LIMIT,
    SHERD_CLASS_NUMBERS,
};

typedef struct sherd_bond_class {
    double number[SHERD_CLASS_NUMBERS];
    float single[SHERD_CLASS_NUMBERS]; // the same, rounded
    // What they were made from, of the first member:
    double d0x, d0y, d0z, l0, r0, E, G, beta, sigma_c, tau_c;
    uint8_t kind;
} sherd_bond_class;

typedef struct sherd_bond_packet {
    int32_t j;         // local number of lane 0's partner
    int32_t bond;      // of the lowest lane; the others follow
    int32_t strengths; // where the packet's lanes' strength factors start, -1 = all are 1
    uint16_t class_index;
    // One bit a lane: has a bond; has an intact one; it was found broken by the last pass.
    uint16_t lanes, alive, broken;
} sherd_bond_packet;

typedef struct sherd_bond_group {
    int32_t i;          // local number of lane 0
    int32_t packet_end; // its packets end here and begin where the previous group's end
} sherd_bond_group;

typedef struct sherd_loose_bond {
    int32_t bond, i, j; // i and j are local numbers
} sherd_loose_bond;

typedef struct sherd_bond_block {
    sherd_element_index begin, end; // its elements
    sherd_element_index *halo;      // elements of later blocks; owned
    int32_t halo_count;
    int64_t halo_at; // of its halo in sherd_bond_blocks.halo_load

    int32_t group_start[SHERD_BOND_KIND_COUNT + 1]; // groups by kind
    sherd_bond_group *groups;                       // owned
    sherd_bond_packet *packets;                     // owned
    float *strengths;                               // sigma / class sigma, see packets; owned
    int32_t loose_start[SHERD_BOND_KIND_COUNT + 1]; // loose bonds by kind
    sherd_loose_bond *loose;                        // owned
    int32_t loose_broken;                           // broken since the last compaction

    int64_t incoming_begin, incoming_end; // in sherd_bond_blocks.incoming

    // Of the last pass:
    int32_t *loose_found;       // places in `loose` of bonds found broken; owned
    int32_t loose_found_count;  //
    int32_t newly_broken_count; // all bonds found broken
    double damping_power;       // [W]
    bool asleep;                // skipped: all its elements sleep
} sherd_bond_block;

// A load that another block left for an element.
typedef struct sherd_incoming {
    sherd_element_index element;
    int64_t at; // in halo_load
} sherd_incoming;

enum { SHERD_HALO_LOAD = 6 }; // force, torque

// What one thread needs to compute a block; bond_local.h says what is where.
typedef struct sherd_bond_scratch {
    void *state[16]; // float or double, by local number
    // Where loose bonds gather from and add to, an element's numbers side by side:
    void *rows;        // of the state, 16 each
    double *load_rows; // of the load, fx fy fz tx ty tz 0 0
    double *force[3];
    void *torque[3]; // float or double
    void *memory;    // owned
} sherd_bond_scratch;

typedef struct sherd_bond_blocks {
    int count;
    sherd_precision precision;
    sherd_bond_block *blocks;
    sherd_bond_class *classes;
    int class_count;
    sherd_incoming *incoming; // by block, then element, then source
    int64_t halo_count;
    double *halo_load; // (halo_count x SHERD_HALO_LOAD)
    sherd_bond_scratch *scratch;
    int scratch_count; // threads
} sherd_bond_blocks;

// ---------------------------------------------------------------- building

// Sorts all bonds into walking order and cuts elements into blocks. Call once, when all are added.
// Later passes may use up to as many threads as `parallel` says now.
sherd_status sherd_bonds_arrange(sherd_bonds *bonds, sherd_element_index element_count,
                                 sherd_precision precision, const sherd_parallel *parallel,
                                 sherd_bond_blocks *blocks, sherd_error *error);

// Takes over which bonds are broken, after a change from outside.
void sherd_bond_blocks_refresh(sherd_bond_blocks *blocks, const sherd_bonds *bonds);

// Walks the bonds that the last pass found broken: start with a zeroed cursor. False at the end.
typedef struct sherd_broken_cursor {
    int32_t packet, lane, loose;
} sherd_broken_cursor;

bool sherd_bond_block_next_broken(const sherd_bond_block *block, sherd_broken_cursor *cursor,
                                  int64_t *bond);

// Strikes out the bonds that the last pass found broken, once they are marked in `bonds`.
void sherd_bond_block_strike(sherd_bond_block *block, const sherd_bonds *bonds);

void sherd_bond_blocks_free(sherd_bond_blocks *blocks);
size_t sherd_bond_blocks_bytes(const sherd_bond_blocks *blocks);

// ---------------------------------------------------------------- one pass over all bonds

// Sets elements->f*, t* to the bonds' loads and fills every block's newly_broken and damping_power.
// SHERD_BOND_KERNEL_SCALAR picks the reference kernel, otherwise the widest the machine has. Both
// give bitwise the same result.
typedef enum sherd_bond_kernel {
    SHERD_BOND_KERNEL_BEST,
    SHERD_BOND_KERNEL_SCALAR
} sherd_bond_kernel;

void sherd_bonds_apply(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                       sherd_elements *elements, const sherd_parallel *parallel,
                       sherd_bond_kernel kernel);
