#include "contact/explicit/obstacle_distances_state.h"

#include "base/error.h"
#include "base/memory.h"

// If every obstacle has bounds for all elements, as in versions without common bounds, these rows
// are missing.
typedef struct saved_watch {
    int64_t count; // -1: all elements
    double beyond;
} saved_watch;

static const sherd_row_member WATCH[] = {SHERD_MEMBER(saved_watch, count),
                                         SHERD_MEMBER(saved_watch, beyond)};
static const sherd_row_layout WATCH_LAYOUT = SHERD_ROW_LAYOUT(saved_watch, WATCH);

// ---------------------------------------------------------------- saving

static void save_listed(const sherd_obstacle *obstacles, size_t count, sherd_byte_buffer *out)
{
    size_t sum = 0;
    sherd_record_write_head(out, "watches", &WATCH_LAYOUT, count);
    for (size_t o = 0; o < count; ++o) {
        const sherd_obstacle_watch *watch = &obstacles[o].watch;
        bool listed = watch->element != NULL;
        saved_watch saved = {listed ? (int64_t)watch->count : -1, watch->beyond};
        sherd_record_write_rows(out, &WATCH_LAYOUT, &saved, 1);
        sum += listed ? watch->count : 0;
    }
    sherd_record_write_head(out, "watched", &sherd_rows_i32, sum);
    for (size_t o = 0; o < count; ++o)
        if (obstacles[o].watch.element != NULL)
            sherd_record_write_rows(out, &sherd_rows_i32, obstacles[o].watch.element,
                                    obstacles[o].watch.count);
}

void sherd_obstacle_watches_save(const sherd_obstacle *obstacles, size_t count,
                                 sherd_byte_buffer *out)
{
    size_t sum = 0;
    bool some = false;
    for (size_t o = 0; o < count; ++o) {
        sum += obstacles[o].watch.count;
        some |= obstacles[o].watch.element != NULL;
    }
    sherd_record_write_head(out, "slack", &sherd_rows_f64, sum);
    for (size_t o = 0; o < count; ++o)
        sherd_record_write_rows(out, &sherd_rows_f64, obstacles[o].watch.slack,
                                obstacles[o].watch.count);
    if (some) save_listed(obstacles, count, out);
}

// ---------------------------------------------------------------- restoring

typedef struct watch_arrays {
    sherd_record_pieces slack, watched;
} watch_arrays;

static sherd_status fail_damaged(sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "contacts", "was it saved by another version?",
                      "the saved distances of obstacles are damaged");
}

static bool is_valid(const sherd_obstacle_watch *watch, size_t elements)
{
    for (size_t i = 0; i < watch->count; ++i) {
        sherd_element_index k = watch->element[i];
        if (k < 0 || (size_t)k >= elements || (i > 0 && k <= watch->element[i - 1])) return false;
    }
    return true;
}

static sherd_status restore_watch(sherd_obstacle_watch *watch, const saved_watch *saved,
                                  size_t elements, watch_arrays *arrays, sherd_record_reader *in,
                                  sherd_error *error)
{
    if (saved->count > (int64_t)elements || saved->count < -1) return fail_damaged(error);
    bool all = saved->count < 0;
    sherd_status status = all ? sherd_obstacle_watch_all(watch, elements, error)
                              : sherd_obstacle_watch_resize(watch, (size_t)saved->count, error);
    if (status != SHERD_OK) return status;
    watch->beyond = saved->beyond;
    sherd_record_read_rows(in, &arrays->slack, watch->slack, watch->count);
    if (!all) sherd_record_read_rows(in, &arrays->watched, watch->element, watch->count);
    status = in->status;
    if (status == SHERD_OK && !all && !is_valid(watch, elements)) status = fail_damaged(error);
    if (status != SHERD_OK) sherd_obstacle_watch_forget(watch, elements);
    return status;
}

void sherd_obstacle_watches_restore(sherd_obstacle *obstacles, size_t count, size_t elements,
                                    sherd_record_reader *in, sherd_error *error)
{
    watch_arrays arrays = {.slack = sherd_record_read_head(in, "slack", &sherd_rows_f64)};
    bool some = sherd_record_has(in, "watches");
    if (elements == 0 || in->status != SHERD_OK) return;
    saved_watch *saved = sherd_alloc(count, sizeof *saved);
    if (saved == NULL) {
        in->status = sherd_fail_memory(error, "obstacles");
        return;
    }
    for (size_t o = 0; o < count; ++o)
        saved[o] = (saved_watch){-1, INFINITY};
    if (some) {
        sherd_record_read(in, &(sherd_record_column){"watches", &WATCH_LAYOUT, saved, count, 0});
        arrays.watched = sherd_record_read_head(in, "watched", &sherd_rows_i32);
    }
    for (size_t o = 0; o < count && in->status == SHERD_OK; ++o)
        in->status = restore_watch(&obstacles[o].watch, &saved[o], elements, &arrays, in, error);
    sherd_free(saved);
}
