#include "contact/pair_list.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static void free_pairs(sherd_pair_list *list)
{
    sherd_free(list->pairs);
    sherd_free(list->history);
    sherd_free(list->state);
    sherd_free(list->force);
}

void sherd_pair_list_free(sherd_pair_list *list)
{
    free_pairs(list);
    sherd_free(list->incident_start);
    sherd_free(list->incident);
    *list = (sherd_pair_list){0};
}

size_t sherd_pair_list_bytes(const sherd_pair_list *list)
{
    return list->capacity * (sizeof *list->pairs + sizeof *list->history + sizeof *list->state +
                             sizeof *list->force) +
           (list->incident_start_capacity + list->incident_capacity) * sizeof(uint32_t);
}

static bool allocate_pairs(sherd_pair_list *list, size_t capacity)
{
    list->capacity = capacity;
    list->pairs = sherd_alloc(capacity, sizeof *list->pairs);
    list->history = sherd_alloc(capacity, sizeof *list->history);
    list->state = sherd_alloc(capacity, sizeof *list->state);
    list->force = sherd_alloc(capacity, sizeof *list->force);
    return list->pairs != NULL && list->history != NULL && list->state != NULL &&
           list->force != NULL;
}

// Fresh, empty arrays in place of the old ones, which are returned in *old.
static sherd_status renew(sherd_pair_list *list, sherd_pair_list *old, size_t capacity,
                          sherd_error *error)
{
    sherd_pair_list fresh = *list;
    if (!allocate_pairs(&fresh, capacity)) {
        free_pairs(&fresh);
        return sherd_fail_memory(error, "contact pairs");
    }
    *old = *list;
    *list = fresh;
    list->incident_pairs = 0;
    return SHERD_OK;
}

int64_t sherd_pair_list_find(const sherd_pair_list *list, sherd_pair pair)
{
    size_t low = 0, high = list->sorted;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        sherd_pair at = list->pairs[middle];
        if (at.i < pair.i || (at.i == pair.i && at.j < pair.j))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < list->sorted && list->pairs[low].i == pair.i && list->pairs[low].j == pair.j;
    return found ? (int64_t)low : -1;
}

sherd_status sherd_pair_list_replace(sherd_pair_list *list, const sherd_pair_buffer *found,
                                     sherd_error *error)
{
    sherd_pair_list old;
    // A quarter more than needed: room for bonds that break before the next search.
    sherd_status status = renew(list, &old, found->count + found->count / 4 + 64, error);
    if (status != SHERD_OK) return status;
    list->count = list->sorted = found->count;
    if (found->count > 0) memcpy(list->pairs, found->pairs, found->count * sizeof *found->pairs);
    for (size_t c = 0; c < old.count; ++c) {
        if (old.state[c] == 0) continue;
        int64_t at = sherd_pair_list_find(list, old.pairs[c]);
        if (at < 0) continue;
        list->history[at] = old.history[c];
        list->state[at] = old.state[c];
        list->force[at] = old.force[c];
    }
    free_pairs(&old);
    return SHERD_OK;
}

sherd_status sherd_pair_list_append(sherd_pair_list *list, sherd_pair pair, sherd_error *error)
{
    if (list->count == list->capacity) {
        sherd_pair_list old;
        sherd_status status = renew(list, &old, 2 * list->capacity + 64, error);
        if (status != SHERD_OK) return status;
        for (size_t c = 0; c < old.count; ++c) {
            list->pairs[c] = old.pairs[c];
            list->history[c] = old.history[c];
            list->state[c] = old.state[c];
            list->force[c] = old.force[c];
        }
        list->incident_pairs = old.incident_pairs;
        free_pairs(&old);
    }
    size_t c = list->count++;
    list->pairs[c] = pair;
    list->history[c] = (sherd_contact_history){.rest_overlap = 0.0};
    list->state[c] = 0;
    return SHERD_OK;
}

sherd_status sherd_pair_list_resize(sherd_pair_list *list, size_t count, sherd_error *error)
{
    sherd_pair_list old;
    sherd_status status = renew(list, &old, count + 64, error);
    if (status != SHERD_OK) return status;
    free_pairs(&old);
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
        ++start[list->pairs[c].i];
        ++start[list->pairs[c].j];
    }
    for (size_t k = 0; k <= n; ++k)
        start[k] = sum += start[k];
    for (size_t c = list->count; c-- > 0;) {
        list->incident[--start[list->pairs[c].j]] = (uint32_t)(2 * c + 1);
        list->incident[--start[list->pairs[c].i]] = (uint32_t)(2 * c);
    }
    list->incident_pairs = list->count;
    return SHERD_OK;
}
