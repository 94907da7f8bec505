// Marks bonds of blocks as broken or intact, after changes from outside and after passes.
#include "models/bonded/storage/bond_breaking.h"

#include "base/error.h"
#include "models/bonded/storage/bond_pieces.h"
#include "models/bonded/storage/bond_slices.h"

#include <string.h>

// Updates the bonds of a packet.
static void refresh_packet(sherd_bond_block *block, int32_t index, const sherd_bonds *bonds)
{
    sherd_bond_packet *packet = &block->packets[index];
    unsigned alive = 0, soft = 0;
    int64_t bond = packet->bond;
    for (int lane = 0; lane < SHERD_BOND_WIDTH_MIXED; ++lane) {
        if (!(packet->lanes >> lane & 1u)) continue;
        alive |= (unsigned)sherd_bond_is_elastic(bonds, bond) << lane;
        soft |= (unsigned)sherd_bond_softens(bonds, bond++) << lane;
    }
    packet->alive = (uint16_t)alive;
    packet->broken = 0;
    if (block->soft != NULL) block->soft[index] = (uint16_t)soft;
}

static void refresh_packets(sherd_bond_block *block, const sherd_bonds *bonds)
{
    for (int32_t k = 0; k < sherd_bond_block_packets(block); ++k)
        refresh_packet(block, k, bonds);
    block->newly_broken_count = 0;
}

static void count_softening(sherd_bond_block *block)
{
    block->softening_count = 0;
    for (int32_t k = 0; k < sherd_bond_block_packets(block) && block->soft != NULL; ++k)
        block->softening_count += __builtin_popcount(block->soft[k]);
    for (int32_t k = 0; k < block->slices.slot_count; ++k)
        block->softening_count += __builtin_popcount(block->slices.soft[k]);
}

static sherd_status find_softening(sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                   const sherd_elements *elements, sherd_error *error)
{
    sherd_softening_list *list = &blocks->softening;
    if (!sherd_softening_list_find(list, bonds, elements))
        return sherd_fail_memory(error, "softening bonds");
    for (int32_t k = 0; k < list->count; ++k)
        blocks->critical[list->bonds[k].bond] = (float)list->bonds[k].critical;
    for (int b = 0; b < blocks->count; ++b)
        count_softening(&blocks->blocks[b]);
    return SHERD_OK;
}

sherd_status sherd_bond_blocks_refresh(sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                       const sherd_elements *elements, const uint8_t *unlisted,
                                       sherd_error *error)
{
    for (int b = 0; b < blocks->count; ++b) {
        sherd_bond_block *block = &blocks->blocks[b];
        refresh_packets(block, bonds);
        if (!sherd_bond_slices_build(block, bonds, elements, blocks->precision, unlisted) ||
            !sherd_bond_block_find_pieces(block, bonds))
            return sherd_fail_memory(error, "bond blocks");
    }
    return find_softening(blocks, bonds, elements, error);
}

// Updates those bonds of a slot that were intact. Returns how many still are, or -1 if a lane
// without an intact bond should have one.
static int refresh_slot(sherd_bond_slices *slices, int32_t slot, const sherd_bonds *bonds,
                        int width)
{
    unsigned alive = 0, soft = 0;
    for (unsigned remaining = slices->alive[slot] | slices->soft[slot]; remaining != 0;
         remaining &= remaining - 1) {
        int lane = __builtin_ctz(remaining);
        int64_t bond = slices->bond[(size_t)slot * (size_t)width + (size_t)lane];
        if (bonds->broken[bond]) return -1;
        alive |= (unsigned)sherd_bond_is_elastic(bonds, bond) << lane;
        soft |= (unsigned)sherd_bond_softens(bonds, bond) << lane;
    }
    slices->alive[slot] = (uint16_t)alive, slices->soft[slot] = (uint16_t)soft;
    slices->broken[slot] = 0;
    return __builtin_popcount(alive | soft);
}

// Updates the bonds in slices; returns false if the slices must be rebuilt.
static bool refresh_slices(sherd_bond_block *block, const sherd_bonds *bonds, int width)
{
    int64_t intact = 0;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind)
        for (int32_t k = 0; k < block->loose_count[kind]; ++k)
            intact += !bonds->broken[block->loose_first[kind] + k];
    for (int32_t slot = 0; slot < block->slices.slot_count; ++slot) {
        int count = refresh_slot(&block->slices, slot, bonds, width);
        if (count < 0) return false;
        intact -= count;
    }
    return intact == 0;
}

sherd_status sherd_bond_blocks_follow(sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                      const sherd_elements *elements, sherd_error *error)
{
    int width = sherd_bond_width(blocks->precision);
    for (int b = 0; b < blocks->count; ++b) {
        sherd_bond_block *block = &blocks->blocks[b];
        refresh_packets(block, bonds);
        bool kept = refresh_slices(block, bonds, width);
        if ((!kept && !sherd_bond_slices_build(block, bonds, elements, blocks->precision, NULL)) ||
            !sherd_bond_block_find_pieces(block, bonds))
            return sherd_fail_memory(error, "bond blocks");
    }
    return find_softening(blocks, bonds, elements, error);
}

void sherd_bond_blocks_unlisted(const sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                uint8_t *unlisted)
{
    memset(unlisted, 0, (size_t)bonds->count);
    for (int b = 0; b < blocks->count; ++b) {
        const sherd_bond_block *block = &blocks->blocks[b];
        for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind)
            memset(unlisted + block->loose_first[kind], 1, (size_t)block->loose_count[kind]);
        // Lanes without a bond repeat the bond of another lane.
        size_t width = (size_t)sherd_bond_width(blocks->precision);
        for (size_t k = 0; k < (size_t)block->slices.slot_count * width; ++k)
            unlisted[block->slices.bond[k]] = 0;
    }
}

bool sherd_bond_block_next_broken(const sherd_bond_blocks *blocks, const sherd_bond_block *block,
                                  sherd_broken_cursor *cursor, int64_t *bond)
{
    for (; cursor->packet < sherd_bond_block_packets(block); ++cursor->packet, cursor->lane = 0) {
        const sherd_bond_packet *packet = &block->packets[cursor->packet];
        unsigned remaining = (unsigned)packet->broken >> cursor->lane << cursor->lane;
        if (remaining == 0) continue;
        int lane = __builtin_ctz(remaining);
        *bond = packet->bond + __builtin_popcount(packet->lanes & ((1u << lane) - 1u));
        cursor->lane = lane + 1;
        return true;
    }
    const sherd_bond_slices *slices = &block->slices;
    for (; cursor->slot < slices->slot_count; ++cursor->slot, cursor->lane = 0) {
        unsigned remaining = (unsigned)slices->broken[cursor->slot] >> cursor->lane << cursor->lane;
        if (remaining == 0) continue;
        int lane = __builtin_ctz(remaining);
        *bond = slices->bond[cursor->slot * sherd_bond_width(blocks->precision) + lane];
        cursor->lane = lane + 1;
        return true;
    }
    return false;
}

static uint16_t broken_lanes(const sherd_bond_packet *packet, const sherd_bonds *bonds)
{
    unsigned broken = 0;
    int64_t bond = packet->bond;
    for (int lane = 0; lane < SHERD_BOND_WIDTH_MIXED; ++lane)
        if (packet->lanes >> lane & 1u) broken |= (unsigned)bonds->broken[bond++] << lane;
    return (uint16_t)(broken & packet->alive);
}

// Lanes without a bond are never alive.
static uint16_t broken_in_slot(const sherd_bond_slices *slices, int32_t slot, int width,
                               const sherd_bonds *bonds)
{
    unsigned broken = 0;
    const int32_t *bond = &slices->bond[(size_t)slot * (size_t)width];
    for (int lane = 0; lane < width; ++lane)
        broken |= (unsigned)bonds->broken[bond[lane]] << lane;
    return (uint16_t)(broken & slices->alive[slot]);
}

void sherd_bond_block_mark_broken(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                                  const sherd_bonds *bonds)
{
    int32_t count = 0;
    for (int32_t k = 0; k < sherd_bond_block_packets(block); ++k) {
        block->packets[k].broken = broken_lanes(&block->packets[k], bonds);
        count += __builtin_popcount(block->packets[k].broken);
    }
    for (int32_t slot = 0; slot < block->slices.slot_count; ++slot) {
        uint16_t broken =
            broken_in_slot(&block->slices, slot, sherd_bond_width(blocks->precision), bonds);
        block->slices.broken[slot] = broken;
        count += __builtin_popcount(broken);
    }
    block->newly_broken_count = count;
}

void sherd_bond_block_spare(sherd_bond_block *block, const sherd_broken_cursor *cursor)
{
    uint16_t bit = (uint16_t)(1u << (cursor->lane - 1));
    bool in_packet = cursor->packet < sherd_bond_block_packets(block);
    uint16_t *broken =
        in_packet ? &block->packets[cursor->packet].broken : &block->slices.broken[cursor->slot];
    *broken &= (uint16_t)~bit;
    --block->newly_broken_count;
}

// Whether bonds that were found broken may have divided a piece of their block.
static bool may_have_parted(const sherd_bond_blocks *blocks, const sherd_bond_block *block,
                            const sherd_bonds *bonds, const sherd_adjacency *adjacency)
{
    sherd_broken_cursor cursor = {0};
    int64_t bond;
    while (sherd_bond_block_next_broken(blocks, block, &cursor, &bond))
        if (!sherd_bond_ends_joined(block, bonds, adjacency, bond)) return true;
    return false;
}

void sherd_bond_block_strike(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                             const sherd_bonds *bonds, const sherd_elements *elements,
                             const sherd_adjacency *adjacency)
{
    bool parted = may_have_parted(blocks, block, bonds, adjacency);
    for (int32_t k = 0; k < sherd_bond_block_packets(block); ++k) {
        block->packets[k].alive &= (uint16_t)~block->packets[k].broken;
        if (block->soft != NULL) block->soft[k] &= (uint16_t)~block->packets[k].broken;
        block->packets[k].broken = 0;
    }
    sherd_bond_slices *slices = &block->slices;
    for (int32_t k = 0; k < slices->slot_count; ++k) {
        slices->dead += __builtin_popcount(slices->broken[k]);
        slices->alive[k] &= (uint16_t)~slices->broken[k];
        slices->soft[k] &= (uint16_t)~slices->broken[k];
        slices->broken[k] = 0;
    }
    block->newly_broken_count = 0;
    // If memory runs short, the slices stay as they are.
    if (slices->dead * 8 > slices->count)
        (void)sherd_bond_slices_build(block, bonds, elements, blocks->precision, NULL);
    if (parted) (void)sherd_bond_block_find_pieces(block, bonds);
    if (blocks->critical != NULL) count_softening(block);
}

// The bond is open, but not fully.
static bool is_opening(const sherd_bond_blocks *blocks, const sherd_bonds *bonds, int64_t bond)
{
    return sherd_bond_softens(bonds, bond) && bonds->opening[bond] < blocks->critical[bond];
}

// Of the lanes found broken, those whose bond softens.
static unsigned softening_lanes(const sherd_bond_blocks *blocks, const sherd_bond_packet *packet,
                                const sherd_bonds *bonds)
{
    unsigned soft = 0;
    for (unsigned remaining = packet->broken; remaining != 0; remaining &= remaining - 1) {
        int lane = __builtin_ctz(remaining);
        int64_t bond = packet->bond + __builtin_popcount(packet->lanes & ((1u << lane) - 1u));
        soft |= (unsigned)is_opening(blocks, bonds, bond) << lane;
    }
    return soft & packet->alive;
}

static unsigned softening_in_slot(const sherd_bond_blocks *blocks, const sherd_bond_slices *slices,
                                  int32_t slot, const sherd_bonds *bonds)
{
    unsigned soft = 0;
    int width = sherd_bond_width(blocks->precision);
    for (unsigned remaining = slices->broken[slot]; remaining != 0; remaining &= remaining - 1) {
        int lane = __builtin_ctz(remaining);
        soft |= (unsigned)is_opening(blocks, bonds, slices->bond[slot * width + lane]) << lane;
    }
    return soft & slices->alive[slot];
}

static void move_lanes(unsigned lanes, uint16_t *alive, uint16_t *soft, uint16_t *broken)
{
    *alive &= (uint16_t)~lanes;
    *broken &= (uint16_t)~lanes;
    *soft |= (uint16_t)lanes;
}

void sherd_bond_block_begin_softening(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                                      const sherd_bonds *bonds)
{
    int32_t begun = 0;
    for (int32_t k = 0; k < sherd_bond_block_packets(block); ++k) {
        sherd_bond_packet *packet = &block->packets[k];
        unsigned lanes = packet->broken != 0 ? softening_lanes(blocks, packet, bonds) : 0;
        if (lanes != 0) move_lanes(lanes, &packet->alive, &block->soft[k], &packet->broken);
        begun += __builtin_popcount(lanes);
    }
    sherd_bond_slices *slices = &block->slices;
    for (int32_t k = 0; k < slices->slot_count; ++k) {
        unsigned lanes = slices->broken[k] != 0 ? softening_in_slot(blocks, slices, k, bonds) : 0;
        if (lanes != 0) move_lanes(lanes, &slices->alive[k], &slices->soft[k], &slices->broken[k]);
        begun += __builtin_popcount(lanes);
    }
    block->newly_broken_count -= begun;
    block->softening_count += begun;
}
