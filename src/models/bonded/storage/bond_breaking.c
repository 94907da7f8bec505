// Which bonds of blocks are broken: taken over from outside, and found by passes.
#include "models/bonded/storage/bond_breaking.h"

#include "base/error.h"
#include "models/bonded/storage/bond_slices.h"

#include <string.h>

static uint16_t intact_lanes(const sherd_bond_packet *packet, const sherd_bonds *bonds)
{
    unsigned alive = 0;
    int64_t bond = packet->bond;
    for (int lane = 0; lane < SHERD_BOND_WIDTH_MIXED; ++lane) {
        if (!(packet->lanes >> lane & 1u)) continue;
        alive |= (unsigned)sherd_bond_is_elastic(bonds, bond++) << lane;
    }
    return (uint16_t)alive;
}

static void refresh_packets(sherd_bond_block *block, const sherd_bonds *bonds)
{
    for (int32_t k = 0; k < sherd_bond_block_packets(block); ++k) {
        block->packets[k].alive = intact_lanes(&block->packets[k], bonds);
        block->packets[k].broken = 0;
    }
    block->newly_broken_count = 0;
}

static sherd_status find_softening(sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                   const sherd_elements *elements, sherd_error *error)
{
    return sherd_softening_list_find(&blocks->softening, bonds, elements)
               ? SHERD_OK
               : sherd_fail_memory(error, "softening bonds");
}

sherd_status sherd_bond_blocks_refresh(sherd_bond_blocks *blocks, const sherd_bonds *bonds,
                                       const sherd_elements *elements, const uint8_t *unlisted,
                                       sherd_error *error)
{
    for (int b = 0; b < blocks->count; ++b) {
        sherd_bond_block *block = &blocks->blocks[b];
        refresh_packets(block, bonds);
        if (!sherd_bond_slices_build(block, bonds, elements, blocks->precision, unlisted))
            return sherd_fail_memory(error, "bond blocks");
    }
    return find_softening(blocks, bonds, elements, error);
}

// Whether those that live in slices are the loose bonds that are intact.
static bool slices_agree(const sherd_bond_block *block, const sherd_bonds *bonds, int width)
{
    const sherd_bond_slices *slices = &block->slices;
    int64_t intact = 0;
    for (int kind = 0; kind < SHERD_BOND_KIND_COUNT; ++kind)
        for (int32_t k = 0; k < block->loose_count[kind]; ++k)
            intact += sherd_bond_is_elastic(bonds, block->loose_first[kind] + k);
    for (int32_t slot = 0; slot < slices->slot_count; ++slot)
        for (int lane = 0; lane < width; ++lane) {
            if (!(slices->alive[slot] >> lane & 1u)) continue;
            int64_t bond = slices->bond[(size_t)slot * (size_t)width + (size_t)lane];
            if (!sherd_bond_is_elastic(bonds, bond)) return false;
            --intact;
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
        for (int32_t slot = 0; slot < block->slices.slot_count; ++slot)
            block->slices.broken[slot] = 0;
        if (!slices_agree(block, bonds, width) &&
            !sherd_bond_slices_build(block, bonds, elements, blocks->precision, NULL))
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
        // Lanes without a bond repeat one that has a place.
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
        unsigned left = (unsigned)packet->broken >> cursor->lane << cursor->lane;
        if (left == 0) continue;
        int lane = __builtin_ctz(left);
        *bond = packet->bond + __builtin_popcount(packet->lanes & ((1u << lane) - 1u));
        cursor->lane = lane + 1;
        return true;
    }
    const sherd_bond_slices *slices = &block->slices;
    for (; cursor->slot < slices->slot_count; ++cursor->slot, cursor->lane = 0) {
        unsigned left = (unsigned)slices->broken[cursor->slot] >> cursor->lane << cursor->lane;
        if (left == 0) continue;
        int lane = __builtin_ctz(left);
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

// Lanes without a bond are not alive.
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

void sherd_bond_block_strike(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                             const sherd_bonds *bonds, const sherd_elements *elements)
{
    for (int32_t k = 0; k < sherd_bond_block_packets(block); ++k) {
        block->packets[k].alive &= (uint16_t)~block->packets[k].broken;
        block->packets[k].broken = 0;
    }
    sherd_bond_slices *slices = &block->slices;
    for (int32_t k = 0; k < slices->slot_count; ++k) {
        slices->dead += __builtin_popcount(slices->broken[k]);
        slices->alive[k] &= (uint16_t)~slices->broken[k];
        slices->broken[k] = 0;
    }
    block->newly_broken_count = 0;
    // Short of memory, the bonds stay where they are.
    if (slices->dead * 8 > slices->count)
        (void)sherd_bond_slices_build(block, bonds, elements, blocks->precision, NULL);
}

static unsigned softening_lanes(const sherd_bond_packet *packet, const sherd_bonds *bonds)
{
    unsigned soft = 0;
    for (unsigned left = packet->broken; left != 0; left &= left - 1) {
        int lane = __builtin_ctz(left);
        int64_t bond = packet->bond + __builtin_popcount(packet->lanes & ((1u << lane) - 1u));
        soft |= (unsigned)sherd_bond_softens(bonds, bond) << lane;
    }
    return soft;
}

static unsigned softening_in_slot(const sherd_bond_slices *slices, int32_t slot, int width,
                                  const sherd_bonds *bonds)
{
    unsigned soft = 0;
    for (unsigned left = slices->broken[slot]; left != 0; left &= left - 1) {
        int lane = __builtin_ctz(left);
        soft |= (unsigned)sherd_bond_softens(bonds, slices->bond[slot * width + lane]) << lane;
    }
    return soft;
}

void sherd_bond_block_release(const sherd_bond_blocks *blocks, sherd_bond_block *block,
                              const sherd_bonds *bonds)
{
    for (int32_t k = 0; k < sherd_bond_block_packets(block); ++k) {
        sherd_bond_packet *packet = &block->packets[k];
        unsigned soft = packet->broken != 0 ? softening_lanes(packet, bonds) : 0;
        packet->alive &= (uint16_t)~soft;
        packet->broken &= (uint16_t)~soft;
        block->newly_broken_count -= __builtin_popcount(soft);
    }
    sherd_bond_slices *slices = &block->slices;
    int width = sherd_bond_width(blocks->precision);
    for (int32_t k = 0; k < slices->slot_count; ++k) {
        unsigned soft = slices->broken[k] != 0 ? softening_in_slot(slices, k, width, bonds) : 0;
        slices->alive[k] &= (uint16_t)~soft;
        slices->broken[k] &= (uint16_t)~soft;
        slices->dead += __builtin_popcount(soft);
        block->newly_broken_count -= __builtin_popcount(soft);
    }
}
