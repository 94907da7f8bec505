// How a pass over all bonds is cut for threads and vectors.
//
// Elements are cut into blocks of consecutive ones, as many in each but the last. A bond belongs to the
// block of its lower end i, which computes it once. A block works on a copy of its elements' state in
// local numbers and sums loads there: no atomics, and the order of additions never depends on
// threads.
//
//   local number   0 ...................... own | own ................... own + halo
//                  the block's own elements     | ends j in later blocks, ascending
//
// Loads on the halo go to the block's share of `halo_load`; once the block is done they are added to
// their elements, in block order.
//
// Bonds of a block are walked in two ways. Where elements follow each other along a lattice row, so
// do their neighbours in the next row: a *group* is a run of up to 8 or 16 consecutive
// elements, a *packet* holds the bonds that join lane k of the group to element j + k, all with the
// same rest geometry and stiffness (their *class*), so nothing is gathered and nothing is stored
// per bond but a bit that says whether it lives. All other bonds are *loose*: they lie in slices
// (bond_slices.h), where those that differ from each other but run along rows still need no gathering.
//
//      group    i  i+1 i+2 i+3  ...         one row
//                \   \   \   \                            class, alive bits
//      packet     j  j+1 j+2 j+3  ...       the next row
#pragma once

#include "base/stages.h"
#include "models/bonded/element_stress/element_criterion.h"
#include "models/bonded/softening/softening_list.h"
#include "models/bonded/storage/adjacency.h"
#include "models/bonded/storage/bond_classes.h"
#include "models/bonded/storage/bonds.h"

#include <sherd/method.h>

// SHERD_BLOCK_ELEMENTS: at most in a block. SHERD_BLOCKS_SHARED: fewer are one block, and one thread's. Lanes of
// a group: what one vector of the widest instruction set holds.
enum {
    SHERD_BLOCK_ELEMENTS = 4096,
    SHERD_BLOCKS_SHARED = 2048,
    SHERD_BOND_WIDTH_DOUBLE = 8,
    SHERD_BOND_WIDTH_MIXED = 16
};

typedef struct sherd_bond_packet {
    int32_t j;    // local number of lane 0's partner
    int32_t bond; // of the lowest lane; the others follow
    uint16_t class_index;
    // One bit a lane: has a bond; has an intact one; it was found broken by the last pass.
    uint16_t lanes, alive, broken;
} sherd_bond_packet;

typedef struct sherd_bond_group {
    int32_t i;          // local number of lane 0
    int32_t packet_end; // its packets end here and begin where the previous group's end
} sherd_bond_group;

// Loose bonds. A group is as many elements as a vector has lanes; lane k of its slots holds the bonds
// that element k is the lower end of, so that the group's state and loads stay in registers, and
// only the other ends are gathered. Of a *row group* and its slots neither end is: i + k and j + k follow each
// other, whether or not there is a bond between them. All bonds have their numbers here, in the kernel's
// precision.
typedef struct sherd_bond_slices {
    int32_t group_start[SHERD_BOND_KIND_COUNT + 1]; // groups by kind, of each
    int32_t row_group_end[SHERD_BOND_KIND_COUNT];   // row groups first, up to here
    int32_t *slot_end; // a group's slots end here and begin where the previous group's end; owned
    int32_t *i;        // local numbers (groups x width); owned
    int32_t *j;        // (slots x width); owned
    int32_t *bond;     // (slots x width); owned
    // Their numbers (bond_classes.h), float or double (slots x sherd_bond_slot_numbers x width); owned.
    void *numbers;
    bool alike; // all have `common`, and do not store it
    sherd_bond_common common;
    // One bit a lane: has an intact bond; that softens; it was found broken by the last pass (slots); owned.
    uint16_t *alive, *soft, *broken;
    int32_t slot_count;
    int32_t count;     // bonds that have a place
    int32_t row_count; // of them, in row groups
    int32_t dead;      // of them, broken since
} sherd_bond_slices;

typedef struct sherd_bond_block {
    sherd_element_index begin, end; // its elements
    int64_t bond_begin, bond_end;   // its bonds
    sherd_element_index *halo;      // elements of later blocks; owned
    int32_t halo_count;
    int64_t halo_at; // of its halo in sherd_bond_blocks.halo_load, a multiple of SHERD_HALO_PACK
    // By local number: the element that carries the frame of its piece (bond_pieces.h); NULL: all have one; owned.
    sherd_element_index *carrier;
    int32_t *halo_blocks; // that the halo's elements belong to, ascending; owned
    int32_t halo_block_count;

    int32_t group_start[SHERD_BOND_KIND_COUNT + 1]; // groups by kind
    sherd_bond_group *groups;                       // owned
    sherd_bond_packet *packets;                     // owned
    float *strengths; // factors of the class's (packets x width), NULL = all are 1; owned
    uint16_t *soft;   // one bit a lane: its bond softens (packets); NULL: no bond can soften; owned
    int64_t loose_first[SHERD_BOND_KIND_COUNT]; // the first loose bond by kind; others follow
    int32_t loose_count[SHERD_BOND_KIND_COUNT]; // broken ones included
    sherd_bond_slices slices;

    int64_t incoming_begin, incoming_end; // in sherd_bond_blocks.incoming

    int32_t softening_count; // of its bonds
    // By bonds as they softened, since these were last taken:
    double softening_lost;   // [J]
    double softening_missed; // by integration, as bonds closed and opened [J]

    // Of the last pass:
    int32_t newly_broken_count;  // bonds found broken
    double damping_power;        // [W]
    double energy, stress_ratio; // of a potential (sherd_bonds_evaluate) [J], [-]
    bool asleep;                 // skipped: all its elements sleep
} sherd_bond_block;

// Loads that another block left for elements of this one: of its halo elements [begin, end).
typedef struct sherd_incoming {
    int32_t block, begin, end;
} sherd_incoming;

// Loads on a halo come in packs of eight elements: Fx of each, Fy of each, ... Tz of each.
enum { SHERD_HALO_LOAD = 6, SHERD_HALO_PACK = 8 };

// One thread's scratch for computing a block; bond_local.h describes its layout.
typedef struct sherd_bond_scratch {
    void *state[16]; // float or double, by local number
    size_t stride;   // bytes from one of these columns to the next
    // For gathering and adding by loose bonds, an element's numbers side by side:
    void *rows;        // of the state, 16 each
    double *load_rows; // of the load, fx fy fz tx ty tz 0 0
    double *force[3];
    void *torque[3]; // float or double
    void *memory;    // owned
} sherd_bond_scratch;

// Stages of a block in a pass, in their order.
typedef enum sherd_bond_stage {
    SHERD_BOND_ADVANCED, // its elements, if the pass advances any
    SHERD_BOND_COMPUTED, // its own elements have their loads, and so has its halo in halo_load
} sherd_bond_stage;

typedef struct sherd_bond_blocks {
    int count;
    sherd_element_index length; // elements of every block but the last; a multiple of 64
    sherd_precision precision;
    const sherd_breakage_info *criteria; // by number: kernels call no functions for them
    sherd_bond_block *blocks;
    sherd_incoming *incoming; // by block, then source
    int64_t halo_count;       // of all blocks, each rounded up to whole packs
    double *halo_load;        // (halo_count x SHERD_HALO_LOAD)
    sherd_bond_scratch *scratch;
    int scratch_count; // threads
    // Opening at which a bond that softens parts (bonds); NULL: none can soften; owned.
    float *critical;
    // Elements come to where a pass finds them in this time [s], and bonds open as far as they are strained there; 0:
    // openings stay as they are.
    double opening_dt;
    sherd_softening_list softening; // for implicit steps, whose kernels leave out bonds that soften
    sherd_element_criterion criterion; // of bonds that break by the stress of elements
    sherd_stages stages;               // of blocks
} sherd_bond_blocks;

// ---------------------------------------------------------------- building

// Finds classes, sorts all bonds into walking order and cuts elements into blocks. Call once, when
// all are added. Later passes may use up to as many threads as `parallel` says now.
sherd_status sherd_bonds_arrange(sherd_bonds *bonds, const sherd_elements *elements,
                                 sherd_precision precision, const sherd_parallel *parallel,
                                 sherd_bond_blocks *blocks, sherd_error *error);

// Takes over which bonds are broken or soften, after a change from outside. Loose bonds keep a place in slices
// unless unlisted[bond] is 1, or they are broken (NULL): to continue bit for bit it must be that of
// sherd_bond_blocks_unlisted.
sherd_status sherd_bond_blocks_refresh(sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                       const sherd_elements *elements, const uint8_t *unlisted,
                                       sherd_error *error);

// Takes over which bonds broke or came back, too, and leaves blocks alone where none did. Where some did,
// loose bonds that are broken lose their places.
sherd_status sherd_bond_blocks_follow(sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                      const sherd_elements *elements, sherd_error *error);

// Sets unlisted[bond] for loose bonds that have lost their place, 0 for all others.
void sherd_bond_blocks_unlisted(const sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                uint8_t *unlisted);

// Walks the bonds that the last pass found broken: start with a zeroed cursor. False at the end.
typedef struct sherd_broken_cursor {
    int32_t packet, slot, lane;
} sherd_broken_cursor;

bool sherd_bond_block_next_broken(const sherd_bond_blocks *blocks, const sherd_bond_block *block,
                                  sherd_broken_cursor *cursor, int64_t *bond);

// Takes the bond that sherd_bond_block_next_broken has just given out of those found broken: it stays.
void sherd_bond_block_spare(sherd_bond_block *block, const sherd_broken_cursor *cursor);

// Takes bonds that begin to soften out of those that the last pass found broken, once `bonds` and blocks->critical have
// their openings: from the next pass on they soften.
void sherd_bond_block_begin_softening(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                                      const sherd_bonds *bonds);

// Strikes out the bonds that the last pass found broken, once they are marked in `bonds`.
void sherd_bond_block_strike(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                             const sherd_bonds *bonds, const sherd_elements *elements,
                             const sherd_adjacency *adjacency);

void sherd_bond_blocks_free(sherd_bond_blocks *blocks);
size_t sherd_bond_blocks_bytes(const sherd_bond_blocks *blocks);

static inline int sherd_bond_width(sherd_precision precision)
{
    return precision == SHERD_PRECISION_MIXED ? SHERD_BOND_WIDTH_MIXED : SHERD_BOND_WIDTH_DOUBLE;
}

// Of every lane of a slot.
static inline int32_t sherd_bond_slot_numbers(const sherd_bond_slices *slices)
{
    return slices->alike ? SHERD_SLOT_OWN_NUMBERS : SHERD_SLOT_NUMBERS;
}

// Of a block in halo_load, whole packs.
static inline size_t sherd_bond_halo_places(const sherd_bond_block *block)
{
    return ((size_t)block->halo_count + SHERD_HALO_PACK - 1) / SHERD_HALO_PACK * SHERD_HALO_PACK;
}

// Where number c of the load on a block's halo element is in its share of halo_load.
static inline size_t sherd_bond_halo_place(int32_t h, int c)
{
    size_t pack = (size_t)h / SHERD_HALO_PACK, at = (size_t)h % SHERD_HALO_PACK;
    return (pack * SHERD_HALO_LOAD + (size_t)c) * SHERD_HALO_PACK + at;
}

static inline int32_t sherd_bond_block_packets(const sherd_bond_block *block)
{
    int32_t groups = block->group_start[SHERD_BOND_KIND_COUNT];
    return groups > 0 ? block->groups[groups - 1].packet_end : 0;
}

// Where an element is among a block's own and halo.
static inline int32_t sherd_bond_block_local(const sherd_bond_block *block,
                                             sherd_element_index element)
{
    if (element < block->end) return element - block->begin;
    int32_t low = 0, high = block->halo_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (block->halo[middle] < element)
            low = middle + 1;
        else
            high = middle;
    }
    return block->end - block->begin + low;
}
