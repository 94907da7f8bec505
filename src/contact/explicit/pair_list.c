#include "contact/explicit/pair_list.h"

#include "base/memory.h"
#include "contact/explicit/pair_build.h"

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
        sherd_free(block->halo_touching);
    }
    sherd_free(list->blocks);
    sherd_stages_free(&list->stages);
    sherd_pair_routing_free(&list->halos);
    sherd_pair_builders_free(list);
    sherd_free(list->starts);
    *list = (sherd_pair_list){0};
}

size_t sherd_pair_list_bytes(const sherd_pair_list *list)
{
    const size_t slot = sizeof(sherd_contact_history) + sizeof(uint8_t) + sizeof(int32_t);
    size_t bytes =
        (size_t)list->block_count * (sizeof(sherd_pair_block) + sizeof *list->stages.reached) +
        sherd_pair_routing_bytes(&list->halos) + sherd_pair_builders_bytes(list) +
        list->start_capacity * sizeof *list->starts;
    for (int32_t b = 0; b < list->block_count; ++b) {
        const sherd_pair_block *block = &list->blocks[b];
        bytes += block->number_capacity * sizeof(int32_t) + (size_t)block->slot_count * slot +
                 block->halo_capacity * (SHERD_PAIR_LOAD * sizeof(double) + 1);
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

// ---------------------------------------------------------------- iteration over pairs

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

sherd_touch sherd_pair_touch(const sherd_pair_list *list, const sherd_pair_cursor *cursor)
{
    int32_t slot = slot_of(list, cursor);
    return slot >= 0 ? (sherd_touch)list->blocks[cursor->block].touches[slot] : SHERD_TOUCH_NONE;
}

uint8_t sherd_pair_state(const sherd_pair_list *list, const sherd_pair_cursor *cursor)
{
    int remembers = sherd_pair_history(list, cursor) != NULL ? SHERD_PAIR_REMEMBERS : 0;
    return (uint8_t)(remembers | sherd_state_of_touch(sherd_pair_touch(list, cursor)));
}

// ---------------------------------------------------------------- slots

static bool resize(void **array, size_t kept, size_t count, size_t item_size)
{
    void *other = sherd_alloc(count, item_size);
    if (other == NULL) return false;
    if (kept > 0) memcpy(other, *array, kept * item_size);
    sherd_free(*array);
    *array = other;
    return true;
}

// The first `kept` slots stay; the caller sets which of them are free.
static bool resize_slots(sherd_pair_block *block, size_t kept, size_t count)
{
    if (count > INT32_MAX ||
        !resize((void **)&block->history, kept, count, sizeof *block->history) ||
        !resize((void **)&block->touches, kept, count, sizeof *block->touches) ||
        !resize((void **)&block->free_slot, kept, count, sizeof *block->free_slot))
        return false;
    block->slot_count = (int32_t)count;
    return true;
}

// An eighth more than needed: histories are most of a contact's memory.
static size_t slots_for(size_t needed)
{
    return needed + needed / 8 + 8;
}

static void free_from(sherd_pair_block *block, int32_t first)
{
    for (int32_t s = block->slot_count; s-- > first;)
        block->free_slot[block->free_count++] = s;
}

bool sherd_pair_block_reserve(sherd_pair_block *block, int32_t count)
{
    if (block->free_count >= count) return true;
    int32_t old = block->slot_count;
    size_t needed = (size_t)old + (size_t)(count - block->free_count);
    if (!resize_slots(block, (size_t)old, slots_for(needed))) return false;
    free_from(block, old);
    return true;
}

bool sherd_pair_block_tidy(sherd_pair_block *block, sherd_contact_history *history,
                           uint8_t *touches)
{
    size_t used = 0, count = (size_t)block->slot_count;
    for (int32_t at = 0; at < block->pair_count; ++at) {
        int32_t slot = block->slot[at];
        if (slot < 0) continue;
        history[used] = block->history[slot];
        touches[used] = block->touches[slot];
        block->slot[at] = (int32_t)used++;
    }
    if (count > slots_for(used) + used / 4 && !resize_slots(block, 0, slots_for(used)))
        return false;
    if (used > 0) {
        memcpy(block->history, history, used * sizeof *history);
        memcpy(block->touches, touches, used);
    }
    count = (size_t)block->slot_count - used;
    if (count > 0) {
        memset(block->history + used, 0, count * sizeof *history);
        memset(block->touches + used, 0, count);
    }
    block->free_count = 0;
    free_from(block, (int32_t)used);
    return true;
}
