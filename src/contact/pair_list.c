#include "contact/pair_list.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { CARRY_CHUNK = 4096 };

static void free_arrays(sherd_pair_arrays *arrays)
{
    sherd_free(arrays->pairs);
    sherd_free(arrays->history);
    sherd_free(arrays->state);
    sherd_free(arrays->force);
    *arrays = (sherd_pair_arrays){0};
}

void sherd_pair_list_free(sherd_pair_list *list)
{
    free_arrays(&list->now);
    free_arrays(&list->spare);
    sherd_free(list->incident_start);
    sherd_free(list->incident);
    *list = (sherd_pair_list){0};
}

size_t sherd_pair_list_bytes(const sherd_pair_list *list)
{
    size_t each = sizeof(sherd_pair) + sizeof(sherd_contact_history) + sizeof(uint8_t) +
                  sizeof(sherd_pair_force);
    return (list->now.capacity + list->spare.capacity) * each +
           (list->incident_start_capacity + list->incident_capacity) * sizeof(uint32_t);
}

// Makes the spare arrays the present ones, with room for `needed` pairs and undefined contents. The
// present ones become the spare.
static sherd_status turn_over(sherd_pair_list *list, size_t needed, sherd_error *error)
{
    sherd_pair_arrays next = list->spare;
    list->spare = (sherd_pair_arrays){0};
    if (next.capacity < needed || next.pairs == NULL) {
        free_arrays(&next);
        // A quarter more: room for bonds that break before the next search.
        next.capacity = needed + needed / 4 + 64;
        next.pairs = sherd_alloc(next.capacity, sizeof *next.pairs);
        next.history = sherd_alloc(next.capacity, sizeof *next.history);
        next.state = sherd_alloc(next.capacity, sizeof *next.state);
        next.force = sherd_alloc(next.capacity, sizeof *next.force);
        if (next.pairs == NULL || next.history == NULL || next.state == NULL ||
            next.force == NULL) {
            free_arrays(&next);
            return sherd_fail_memory(error, "contact pairs");
        }
    }
    list->spare = list->now;
    list->now = next;
    list->incident_pairs = 0;
    return SHERD_OK;
}

static inline bool comes_before(sherd_pair a, sherd_pair b)
{
    return a.i < b.i || (a.i == b.i && a.j < b.j);
}

// Index of the first of `count` sorted pairs that doesn't come before `pair`.
static size_t lower_bound(const sherd_pair *pairs, size_t count, sherd_pair pair)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (comes_before(pairs[middle], pair))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t sherd_pair_list_find(const sherd_pair_list *list, sherd_pair pair)
{
    size_t at = lower_bound(list->now.pairs, list->sorted, pair);
    if (at == list->sorted || comes_before(pair, list->now.pairs[at])) return -1;
    return (int64_t)at;
}

typedef struct carry_job {
    const sherd_pair_arrays *old, *now;
    size_t old_sorted;
} carry_job;

// Merges a stretch of the new pairs with the old sorted ones.
static void carry_range(void *context, size_t begin, size_t end)
{
    const carry_job *job = context;
    const sherd_pair_arrays *old = job->old, *now = job->now;
    size_t at = lower_bound(old->pairs, job->old_sorted, now->pairs[begin]);
    for (size_t c = begin; c < end; ++c) {
        while (at < job->old_sorted && comes_before(old->pairs[at], now->pairs[c]))
            ++at;
        bool was = at < job->old_sorted && !comes_before(now->pairs[c], old->pairs[at]) &&
                   old->state[at] != 0;
        now->state[c] = was ? old->state[at] : 0;
        now->history[c] = was ? old->history[at] : (sherd_contact_history){.rest_overlap = 0.0};
    }
}

sherd_status sherd_pair_list_replace(sherd_pair_list *list, const sherd_pair_buffer *found,
                                     const sherd_parallel *parallel, sherd_error *error)
{
    sherd_status status = turn_over(list, found->count, error);
    if (status != SHERD_OK) return status;
    size_t old_count = list->count, old_sorted = list->sorted;
    const sherd_pair_arrays *old = &list->spare;
    list->count = list->sorted = found->count;
    if (found->count > 0)
        memcpy(list->now.pairs, found->pairs, found->count * sizeof *found->pairs);
    carry_job job = {old, &list->now, old_sorted};
    sherd_parallel_for(parallel, list->count, CARRY_CHUNK, carry_range, &job);
    for (size_t c = old_sorted; c < old_count; ++c) { // those added since the last search
        int64_t at = old->state[c] != 0 ? sherd_pair_list_find(list, old->pairs[c]) : -1;
        if (at < 0) continue;
        list->now.history[at] = old->history[c];
        list->now.state[at] = old->state[c];
    }
    return SHERD_OK;
}

// Room for one more pair, keeping what is there.
static sherd_status make_room(sherd_pair_list *list, sherd_error *error)
{
    size_t n = list->count, indexed = list->incident_pairs;
    if (n < list->now.capacity) return SHERD_OK;
    sherd_status status = turn_over(list, 2 * n, error);
    if (status != SHERD_OK) return status;
    list->incident_pairs = indexed;
    if (n == 0) return SHERD_OK;
    memcpy(list->now.pairs, list->spare.pairs, n * sizeof *list->now.pairs);
    memcpy(list->now.history, list->spare.history, n * sizeof *list->now.history);
    memcpy(list->now.state, list->spare.state, n * sizeof *list->now.state);
    return SHERD_OK;
}

sherd_status sherd_pair_list_append(sherd_pair_list *list, sherd_pair pair, sherd_error *error)
{
    sherd_status status = make_room(list, error);
    if (status != SHERD_OK) return status;
    size_t c = list->count++;
    list->now.pairs[c] = pair;
    list->now.history[c] = (sherd_contact_history){.rest_overlap = 0.0};
    list->now.state[c] = 0;
    return SHERD_OK;
}

sherd_status sherd_pair_list_resize(sherd_pair_list *list, size_t count, sherd_error *error)
{
    sherd_status status = turn_over(list, count, error);
    if (status != SHERD_OK) return status;
    list->count = count;
    list->sorted = 0;
    return SHERD_OK;
}

sherd_status sherd_pair_list_index(sherd_pair_list *list, sherd_element_index element_count,
                                   sherd_error *error)
{
    size_t n = (size_t)element_count;
    if (!sherd_grow((void **)&list->incident_start, &list->incident_start_capacity, n + 1,
                    sizeof *list->incident_start) ||
        !sherd_grow((void **)&list->incident, &list->incident_capacity, 2 * list->count,
                    sizeof *list->incident))
        return sherd_fail_memory(error, "contact incidence");
    uint32_t *start = list->incident_start, sum = 0;
    memset(start, 0, (n + 1) * sizeof *start);
    for (size_t c = 0; c < list->count; ++c) {
        ++start[list->now.pairs[c].i];
        ++start[list->now.pairs[c].j];
    }
    for (size_t k = 0; k <= n; ++k)
        start[k] = sum += start[k];
    for (size_t c = list->count; c-- > 0;) {
        list->incident[--start[list->now.pairs[c].j]] = (uint32_t)(2 * c + 1);
        list->incident[--start[list->now.pairs[c].i]] = (uint32_t)(2 * c);
    }
    list->incident_pairs = list->count;
    return SHERD_OK;
}
