// Division of a pass over all bonds among threads and vectors.
//
// Elements are divided into blocks of consecutive elements, of the same size except the last. A
// bond belongs to the block of its lower end i and is computed once, by this block. A block copies
// the state of its elements into local numbering and sums loads there: there are no atomic
// operations, and the order of additions does not depend on threads.
// threads.
//
//   local number   0 ...................... own | own ................... own + halo
//                  the block's own elements     | ends j in later blocks, ascending
//
// Loads on the halo are stored in the block's section of `halo_load`; once the block is done they
// are added to their elements, in block order.
//
// There are two kinds of traversal. Where elements are numbered along lattice rows, their
// neighbours in the next row are consecutive too: a *group* is a run of up to 8 or 16 consecutive
// elements, and a *packet* contains the bonds that join lane k of the group to element j + k, all
// with the same reference geometry and stiffness (their *class*). Packets need no gathering and
// store only one bit per bond, which says whether it is intact. All other bonds are *loose* and are
// stored in slices (bond_slices.h); loose bonds along rows, which differ only in their constants,
// need no gathering either.
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

// SHERD_BLOCK_ELEMENTS: the most elements of a block. SHERD_BLOCKS_SHARED: below this number all
// elements form one block, computed by one thread. Lanes of a group: one vector of the widest
// instruction set.
enum {
    SHERD_BLOCK_ELEMENTS = 4096,
    SHERD_BLOCKS_SHARED = 2048,
    SHERD_BOND_WIDTH_DOUBLE = 8,
    SHERD_BOND_WIDTH_MIXED = 16
};

typedef struct sherd_bond_packet {
    int32_t j;    // local number of the partner of lane 0
    int32_t bond; // bond of the lowest lane; the bonds of other lanes follow
    uint16_t class_index;
    // One bit for each lane: it has a bond; its bond is intact; the last pass found its bond
    // broken.
    uint16_t lanes, alive, broken;
} sherd_bond_packet;

typedef struct sherd_bond_group {
    int32_t i;          // local number of lane 0
    int32_t packet_end; // its packets end here and begin where the previous group's end
} sherd_bond_group;

// Loose bonds. A group is as many elements as a vector has lanes; lane k of its slots contains the
// bonds whose lower end is element k. The group's state and loads stay in registers, and only the
// other ends are gathered. In a *row group* neither end is gathered: in its slots i + k and j + k
// are consecutive, whether or not there is a bond between them. The constants of all loose bonds
// are stored here, in the kernel's precision.
typedef struct sherd_bond_slices {
    int32_t group_start[SHERD_BOND_KIND_COUNT + 1]; // by kind: its first group
    // by kind: the end of its row groups, which come first
    int32_t row_group_end[SHERD_BOND_KIND_COUNT];
    int32_t *slot_end; // a group's slots end here and begin where the previous group's end; owned
    int32_t *i;        // local numbers (groups x width); owned
    int32_t *j;        // (slots x width); owned
    int32_t *bond;     // (slots x width); owned
    // The bonds' constants (bond_classes.h), float or double (slots x sherd_bond_slot_numbers x
    // width); owned.
    void *numbers;
    bool alike; // all bonds have the constants `common`, which are stored once
    sherd_bond_common common;
    // One bit for each lane (slots): its bond is intact; softens; was found broken by the last
    // pass. Owned.
    uint16_t *alive, *soft, *broken;
    int32_t slot_count;
    int32_t count;     // bonds in slots
    int32_t row_count; // of these, bonds in row groups
    int32_t dead;      // of these, bonds that have broken since
} sherd_bond_slices;

typedef struct sherd_bond_block {
    sherd_element_index begin, end; // its elements
    int64_t bond_begin, bond_end;   // its bonds
    sherd_element_index *halo;      // elements of later blocks; owned
    int32_t halo_count;
    // start of its halo in sherd_bond_blocks.halo_load, a multiple of SHERD_HALO_PACK
    int64_t halo_at;
    // By local number: the element whose frame is used (bond_pieces.h); NULL: one frame for all;
    // owned.
    sherd_element_index *carrier;
    int32_t *halo_blocks; // the blocks of halo elements, ascending; owned
    int32_t halo_block_count;

    int32_t group_start[SHERD_BOND_KIND_COUNT + 1]; // groups by kind
    sherd_bond_group *groups;                       // owned
    sherd_bond_packet *packets;                     // owned
    // factors on the strengths of the class (packets x width), NULL = all are 1; owned
    float *strengths;
    // one bit for each lane: its bond softens (packets); NULL: no bond can soften; owned
    uint16_t *soft;
    int64_t loose_first[SHERD_BOND_KIND_COUNT]; // the first loose bond by kind; others follow
    int32_t loose_count[SHERD_BOND_KIND_COUNT]; // broken ones included
    sherd_bond_slices slices;

    int64_t incoming_begin, incoming_end; // in sherd_bond_blocks.incoming

    int32_t softening_count; // its softening bonds
    // Sums over softening bonds since the sums were last collected:
    double softening_lost;   // dissipated [J]
    double softening_missed; // error of time integration as openings changed [J]

    // Of the last pass:
    int32_t newly_broken_count;  // bonds found broken
    double damping_power;        // [W]
    double energy, stress_ratio; // of the potential (sherd_bonds_evaluate) [J], [-]
    bool asleep;                 // all its elements sleep: skipped
} sherd_bond_block;

// Loads on elements of this block that another block computed, those on its halo elements [begin,
// end).
typedef struct sherd_incoming {
    int32_t block, begin, end;
} sherd_incoming;

// Halo loads are stored in packs of eight elements: Fx of all eight, Fy of all eight, ... Tz of all
// eight.
enum { SHERD_HALO_LOAD = 6, SHERD_HALO_PACK = 8 };

// Work arrays of one thread for one block; bond_local.h describes the layout.
typedef struct sherd_bond_scratch {
    void *state[16]; // float or double, by local number
    size_t stride;   // bytes from one column to the next
    // States and loads by element, for gathering and scattering by loose bonds:
    void *rows;        // of the state, 16 numbers for each element
    double *load_rows; // of the load, fx fy fz tx ty tz 0 0
    double *force[3];
    void *torque[3]; // float or double
    void *memory;    // owned
} sherd_bond_scratch;

// Progress of a block in a pass.
typedef enum sherd_bond_stage {
    SHERD_BOND_ADVANCED, // its elements have advanced, if the pass advances any
    // the loads of its elements are set, and those of its halo are in halo_load
    SHERD_BOND_COMPUTED,
} sherd_bond_stage;

typedef struct sherd_bond_blocks {
    int count;
    sherd_element_index length; // elements of every block but the last; a multiple of 64
    sherd_precision precision;
    const sherd_breakage_info *criteria; // by sherd_breakage; kernels can't call functions for them
    sherd_bond_block *blocks;
    sherd_incoming *incoming; // sorted by receiving block, then by source
    int64_t halo_count;       // halo elements of all blocks, each block rounded up to whole packs
    double *halo_load;        // (halo_count x SHERD_HALO_LOAD)
    sherd_bond_scratch *scratch;
    int scratch_count; // number of threads
    // Opening at which each softening bond breaks (bonds); NULL: no bond can soften; owned.
    float *critical;
    // Time in which elements arrive at the positions of the pass, and over which openings grow to
    // those which the strain requires [s]. With 0 openings do not change.
    double opening_dt;
    sherd_softening_list softening;    // for implicit steps, whose kernels skip softening bonds
    sherd_element_criterion criterion; // for bonds that break by the stress of elements
    sherd_stages stages;               // progress of blocks
} sherd_bond_blocks;

// ---------------------------------------------------------------- building

// Finds classes, sorts all bonds into traversal order and divides elements into blocks. Call this
// once, after all bonds were added. Later passes may use up to as many threads as `parallel` has
// now.
sherd_status sherd_bonds_arrange(sherd_bonds *bonds, const sherd_elements *elements,
                                 sherd_precision precision, const sherd_parallel *parallel,
                                 sherd_bond_blocks *blocks, sherd_error *error);

// Updates which bonds are broken or soften, after a change from outside. A loose bond is kept in
// slices unless unlisted[bond] is 1 or, with NULL, unless it is broken. To continue a saved run bit
// for bit, pass the result of sherd_bond_blocks_unlisted.
sherd_status sherd_bond_blocks_refresh(sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                       const sherd_elements *elements, const uint8_t *unlisted,
                                       sherd_error *error);

// The same for bonds that broke or became intact again, only in blocks where some did. These blocks
// remove broken bonds from their slices.
sherd_status sherd_bond_blocks_follow(sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                      const sherd_elements *elements, sherd_error *error);

// Sets unlisted[bond] to 1 for loose bonds that were removed from slices, to 0 for all others.
void sherd_bond_blocks_unlisted(const sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                uint8_t *unlisted);

// Iterates over the bonds that the last pass found broken: start with a zeroed cursor. Returns
// false at the end.
typedef struct sherd_broken_cursor {
    int32_t packet, slot, lane;
} sherd_broken_cursor;

bool sherd_bond_block_next_broken(const sherd_bond_blocks *blocks, const sherd_bond_block *block,
                                  sherd_broken_cursor *cursor, int64_t *bond);

// Removes the bond that sherd_bond_block_next_broken returned last from those found broken: it
// stays intact.
void sherd_bond_block_spare(sherd_bond_block *block, const sherd_broken_cursor *cursor);

// Removes bonds that begin to soften from those which the last pass found broken. Call it once
// `bonds` and blocks->critical contain their openings: from the next pass on they soften.
void sherd_bond_block_begin_softening(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                                      const sherd_bonds *bonds);

// Removes the bonds that the last pass found broken from the block, once they are marked in
// `bonds`.
void sherd_bond_block_strike(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                             const sherd_bonds *bonds, const sherd_elements *elements,
                             const sherd_adjacency *adjacency);

void sherd_bond_blocks_free(sherd_bond_blocks *blocks);
size_t sherd_bond_blocks_bytes(const sherd_bond_blocks *blocks);

static inline int sherd_bond_width(sherd_precision precision)
{
    return precision == SHERD_PRECISION_MIXED ? SHERD_BOND_WIDTH_MIXED : SHERD_BOND_WIDTH_DOUBLE;
}

// The number of values stored for each lane of a slot.
static inline int32_t sherd_bond_slot_numbers(const sherd_bond_slices *slices)
{
    return slices->alike ? SHERD_SLOT_OWN_NUMBERS : SHERD_SLOT_NUMBERS;
}

// The number of halo elements in halo_load of a block, rounded up to whole packs.
static inline size_t sherd_bond_halo_size(const sherd_bond_block *block)
{
    return ((size_t)block->halo_count + SHERD_HALO_PACK - 1) / SHERD_HALO_PACK * SHERD_HALO_PACK;
}

// The index of component c of the load on halo element h, in the block's section of halo_load.
static inline size_t sherd_bond_halo_index(int32_t h, int c)
{
    size_t pack = (size_t)h / SHERD_HALO_PACK, at = (size_t)h % SHERD_HALO_PACK;
    return (pack * SHERD_HALO_LOAD + (size_t)c) * SHERD_HALO_PACK + at;
}

static inline int32_t sherd_bond_block_packets(const sherd_bond_block *block)
{
    int32_t groups = block->group_start[SHERD_BOND_KIND_COUNT];
    return groups > 0 ? block->groups[groups - 1].packet_end : 0;
}

// The local number of an element, one of the block's own or of its halo.
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
