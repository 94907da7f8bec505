// Candidate pairs of elements, and the contact histories of those that touch.
//
// Elements are divided into blocks of SHERD_PAIR_BLOCK consecutive ones. A pair (i, j), i < j,
// belongs to the block of i; pairs are sorted by (i, j). A block numbers the elements of its pairs:
// its *members*. A pass works on a copy of their states and sums loads there, so that the order of
// additions never depends on threads:
//
//   local number   0 ...................... own | own ................... members
//                  of the block itself, ascending | of later blocks, ascending: the halo
//
// Loads on the halo are stored in halo_load until the block is done; then each block collects what
// others computed for it, in their order.
//
// Most pairs are near and do not touch: they cost eight bytes. A pair that touches, or has a rest
// overlap, has a *slot* for its history until it separates.
#pragma once

#include "base/stages.h"
#include "contact/contact_sums.h"
#include "contact/crack_faces.h"
#include "laws/contact/contact_law.h"
#include "neighbors/pair_search.h"

enum {
    SHERD_PAIR_PADDING = 16, // entries that may be read past the end of a block's lists
    SHERD_PAIR_LOAD = 6,     // force, torque
};

typedef struct sherd_pair_block {
    int32_t pair_count, pair_capacity, own_count, member_count;
    int32_t *numbers; // owned: contains member, start, partner and slot
    size_t number_capacity;
    sherd_element_index *member; // (member_count)
    int32_t *start;              // first pair of own member k (own_count + 1)
    int32_t *partner;            // local number of j (pair_count)
    int32_t *slot;               // index in `history`, -1 = no history (pair_count)

    int32_t slot_count, free_count;
    sherd_contact_history *history; // zero in free slots; owned (slot_count)
    uint8_t *touches;   // sherd_touch: how it exerted a force in the last pass; owned (slot_count)
    int32_t *free_slot; // owned (slot_count)

    double *halo_load;      // (member_count - own_count) x SHERD_PAIR_LOAD; owned
    uint8_t *halo_touching; // number of pressing contacts (member_count - own_count); owned
    size_t halo_capacity;

    // Of the last pass:
    sherd_contact_sums sums;
    bool loaded; // there are loads on the halo
    bool failed; // out of memory
} sherd_pair_block;

// Stages of a block in a pass.
typedef enum sherd_pair_stage {
    // loads of its pairs on its own elements are added, and its halo_load is filled
    SHERD_PAIR_EVALUATED,
} sherd_pair_stage;

typedef struct sherd_pair_list {
    int32_t block_count;
    sherd_pair_block *blocks;
    sherd_stages stages;                 // of blocks
    sherd_pair_routing halos;            // parts of halos, by the block of their elements
    struct sherd_pair_builder *builders; // scratch of pair_build.c
    int builder_count;
    size_t *starts; // scratch of restoring
    size_t start_capacity;
} sherd_pair_list;

void sherd_pair_list_free(sherd_pair_list *list);
size_t sherd_pair_list_bytes(const sherd_pair_list *list);
int64_t sherd_pair_list_count(const sherd_pair_list *list);
int64_t sherd_pair_list_history_count(const sherd_pair_list *list);

static inline int32_t sherd_pair_block_of(sherd_element_index k)
{
    return k / SHERD_PAIR_BLOCK;
}

// ---------------------------------------------------------------- iteration over pairs

// Iterates over all pairs in order: start with a zeroed cursor.
typedef struct sherd_pair_cursor {
    int32_t block, row, at;
    sherd_pair pair;
} sherd_pair_cursor;

// False at the end. Otherwise cursor->pair is the next pair, with index cursor->at - 1 in its
// block.
bool sherd_pair_list_next(const sherd_pair_list *list, sherd_pair_cursor *cursor);

// History of the pair at the cursor, or NULL.
const sherd_contact_history *sherd_pair_history(const sherd_pair_list *list,
                                                const sherd_pair_cursor *cursor);
sherd_touch sherd_pair_touch(const sherd_pair_list *list, const sherd_pair_cursor *cursor);

static inline bool sherd_pair_touches(const sherd_pair_list *list, const sherd_pair_cursor *cursor)
{
    return sherd_pair_touch(list, cursor) != SHERD_TOUCH_NONE;
}

// SHERD_PAIR_REMEMBERS, SHERD_PAIR_TOUCHES, SHERD_PAIR_FACES.
uint8_t sherd_pair_state(const sherd_pair_list *list, const sherd_pair_cursor *cursor);

static inline sherd_touch sherd_touch_of_state(uint8_t state)
{
    if ((state & SHERD_PAIR_TOUCHES) == 0) return SHERD_TOUCH_NONE;
    return (state & SHERD_PAIR_FACES) != 0 ? SHERD_TOUCH_FACES : SHERD_TOUCH_ROUND;
}

static inline uint8_t sherd_state_of_touch(sherd_touch touch)
{
    if (touch == SHERD_TOUCH_NONE) return 0;
    return touch == SHERD_TOUCH_FACES ? SHERD_PAIR_TOUCHES | SHERD_PAIR_FACES : SHERD_PAIR_TOUCHES;
}

// ---------------------------------------------------------------- slots

// Ensures that `count` slots are free.
bool sherd_pair_block_reserve(sherd_pair_block *block, int32_t count);

static inline int32_t sherd_pair_block_allocate_slot(sherd_pair_block *block)
{
    return block->free_slot[--block->free_count];
}

// Reorders slots like pairs, and releases memory if much of it is unused. `history` and `touches`
// are scratch for as many slots as are in use.
bool sherd_pair_block_tidy(sherd_pair_block *block, sherd_contact_history *history,
                           uint8_t *touches);

// Frees a slot, whose history must be all zero.
static inline void sherd_pair_block_release_slot(sherd_pair_block *block, int32_t slot)
{
    block->touches[slot] = 0;
    block->free_slot[block->free_count++] = slot;
}
