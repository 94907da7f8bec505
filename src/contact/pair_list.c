#include "contact/pair_list.h"

#include "base/memory.h"
#include "contact/pair_build.h"

#include <string.h>

void sherd_pair_list_free(sherd_pair_list *list)
{
    for (int32_t b = 0; b < list->block_count; ++b) {
        sherd_pair_block *block = &list->blocks[b];
        sherd_free(block->numbers);
        sherd_free(block->history);
        sherd_free(block->touches);
        sherd_free(block->free_slot);
        sherd_free(block->halo_load);
    }
    sherd_free(list->blocks);
    sherd_pair_routing_free(&list->halos);
    sherd_pair_builders_free(list);
    *list = (sherd_pair_list){0};
}

size_t sherd_pair_list_bytes(const sherd_pair_list *list)
{
    const size_t slot = sizeof(sherd_contact_history) + sizeof(uint8_t) + sizeof(int32_t);
    size_t bytes = (size_t)list->block_count * sizeof(sherd_pair_block) +
                   sherd_pair_routing_bytes(&list->halos) + sherd_pair_builders_bytes(list);
    for (int32_t b = 0; b < list->block_count; ++b) {
        const sherd_pair_block *block = &list->blocks[b];
        bytes += block->number_capacity * sizeof(int32_t) + (size_t)block->slot_count * slot +
                 block->halo_capacity * SHERD_PAIR_LOAD * sizeof(double);
    }
    return bytes;
}

int64_t sherd_pair_list_count(const sherd_pair_list *list)
{
    int64_t count = 0;
    for (int32_t b = 0; b < list->block_count; ++b)
        count += list->blocks[b].pair_count;
    return count;
}

int64_t sherd_pair_list_history_count(const sherd_pair_list *list)
{
    int64_t count = 0;
    for (int32_t b = 0; b < list->block_count; ++b)
        count += list->blocks[b].slot_count - list->blocks[b].free_count;
    return count;
}

// ---------------------------------------------------------------- one pair at a time

bool sherd_pair_list_next(const sherd_pair_list *list, sherd_pair_cursor *cursor)
{
    while (cursor->block < list->block_count &&
           cursor->at == list->blocks[cursor->block].pair_count)
        *cursor = (sherd_pair_cursor){.block = cursor->block + 1};
    if (cursor->block == list->block_count) return false;
    const sherd_pair_block *block = &list->blocks[cursor->block];
    while (cursor->at == block->start[cursor->row + 1])
        ++cursor->row;
    cursor->pair =
        (sherd_pair){block->member[cursor->row], block->member[block->partner[cursor->at]]};
    ++cursor->at;
    return true;
}

static int32_t slot_of(const sherd_pair_list *list, const sherd_pair_cursor *cursor)
{
    return list->blocks[cursor->block].slot[cursor->at - 1];
}

const sherd_contact_history *sherd_pair_history(const sherd_pair_list *list,
                                                const sherd_pair_cursor *cursor)
{
    int32_t slot = slot_of(list, cursor);
    return slot >= 0 ? &list->blocks[cursor->block].history[slot] : NULL;
}

bool sherd_pair_touches(const sherd_pair_list *list, const sherd_pair_cursor *cursor)
{
    int32_t slot = slot_of(list, cursor);
    return slot >= 0 && list->blocks[cursor->block].touches[slot];
}

// ---------------------------------------------------------------- slots

static bool enlarge(void **array, size_t count, size_t larger, size_t item_size)
{
    void *grown = sherd_alloc(larger, item_size);
    if (grown == NULL) return false;
    if (count > 0) memcpy(grown, *array, count * item_size);
    sherd_free(*array);
    *array = grown;
    return true;
}

bool sherd_pair_block_reserve(sherd_pair_block *block, int32_t count)
{
    if (block->free_count >= count) return true;
    size_t old = (size_t)block->slot_count, needed = old + (size_t)(count - block->free_count);
    // An eighth more: histories are most of what a contact takes.
    size_t larger = needed + needed / 8 + 8;
    if (larger > INT32_MAX ||
        !enlarge((void **)&block->history, old, larger, sizeof *block->history) ||
        !enlarge((void **)&block->touches, old, larger, sizeof *block->touches) ||
        !enlarge((void **)&block->free_slot, old, larger, sizeof *block->free_slot))
        return false;
    for (size_t s = larger; s-- > old;)
        block->free_slot[block->free_count++] = (int32_t)s;
    block->slot_count = (int32_t)larger;
    return true;
}
