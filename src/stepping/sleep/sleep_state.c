// Sleepers that are saved and restored, or change between a world and its parts.
#include "base/error.h"
#include "base/memory.h"
#include "stepping/sleep/quiescence.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/system.h"

#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- saving

void sherd_sleep_save(const sherd_system *system, sherd_byte_buffer *out)
{
    const sherd_sleep *sleep = &system->sleep;
    int64_t count = sleep->sleepers.count;
    sherd_byte_buffer_append(out, &count, sizeof count);
    for (int32_t s = 0; s < count; ++s) {
        sherd_sleeper record = sleep->sleepers.list[s];
        const sherd_element_index *member = record.member;
        record.member = NULL;
        sherd_byte_buffer_append_block(out, &record, sizeof record);
        sherd_byte_buffer_append_block(out, member, (size_t)record.count * sizeof *member);
        for (sherd_element_index m = 0; m < record.count; ++m) {
            sherd_element_index k = member[m];
            double place[7] = {sleep->local_at[0][k], sleep->local_at[1][k], sleep->local_at[2][k],
                               sleep->local_q[0][k],  sleep->local_q[1][k],  sleep->local_q[2][k],
                               sleep->local_q[3][k]};
            sherd_byte_buffer_append(out, place, sizeof place);
        }
    }
    sherd_byte_buffer_append_block(out, sleep->calm.checks, (size_t)system->elements.count);
    const sherd_resting_notes *notes = &sleep->calm.notes;
    uint64_t noted = notes->count;
    sherd_byte_buffer_append(out, &noted, sizeof noted);
    sherd_byte_buffer_append_block(out, notes->list, notes->count * sizeof *notes->list);
}

static sherd_status fail_damaged(sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                      "is damaged: bodies that sleep don't fit the world");
}

static bool members_are_valid(const sherd_system *system, const sherd_sleeper *s)
{
    for (sherd_element_index m = 0; m < s->count; ++m) {
        sherd_element_index k = s->member[m];
        if (k < 0 || k >= system->elements.count || system->elements.asleep[k]) return false;
        if (m > 0 && k <= s->member[m - 1]) return false;
    }
    return true;
}

static sherd_status restore_sleeper(sherd_system *system, sherd_byte_reader *in, sherd_error *error)
{
    sherd_sleep *sleep = &system->sleep;
    sherd_sleeper record;
    sherd_byte_reader_take_block(in, &record, sizeof record);
    if (in->failed || record.count < 1 || record.count > system->elements.count)
        return fail_damaged(error);
    sherd_sleeper *s = sherd_sleep_add(system, record.count, error);
    if (s == NULL) return SHERD_ERROR_MEMORY;
    record.member = s->member;
    *s = record;
    sherd_byte_reader_take_block(in, s->member, (size_t)s->count * sizeof *s->member);
    if (in->failed || !members_are_valid(system, s)) return fail_damaged(error);
    for (sherd_element_index m = 0; m < s->count; ++m) {
        double place[7];
        sherd_byte_reader_take(in, place, sizeof place);
        for (int a = 0; a < 7; ++a)
            (a < 3 ? sleep->local_at[a] : sleep->local_q[a - 3])[s->member[m]] = place[a];
    }
    sherd_sleep_take_members(system, s);
    return SHERD_OK;
}

static sherd_status restore_notes(sherd_system *system, sherd_byte_reader *in, sherd_error *error)
{
    sherd_resting_notes *notes = &system->sleep.calm.notes;
    uint64_t count = 0;
    sherd_byte_reader_take(in, &count, sizeof count);
    if (in->failed || count > (uint64_t)system->elements.count) return fail_damaged(error);
    if (!sherd_grow((void **)&notes->list, &notes->capacity, (size_t)count, sizeof *notes->list))
        return sherd_fail_memory(error, "bodies that sleep");
    sherd_byte_reader_take_block(in, notes->list, (size_t)count * sizeof *notes->list);
    bool valid = !in->failed;
    for (uint64_t k = 0; k < count && valid; ++k)
        valid = notes->list[k].root < system->elements.count &&
                notes->list[k].root > (k > 0 ? notes->list[k - 1].root : -1);
    if (!valid) return fail_damaged(error);
    notes->count = (size_t)count;
    return SHERD_OK;
}

sherd_status sherd_sleep_restore(sherd_system *system, sherd_byte_reader *in, sherd_error *error)
{
    sherd_sleep *sleep = &system->sleep;
    size_t n = (size_t)system->elements.count;
    int64_t count = 0;
    sherd_sleep_forget(system);
    sherd_byte_reader_take(in, &count, sizeof count);
    sherd_status status =
        in->failed || count < 0 || count > (int64_t)n ? fail_damaged(error) : SHERD_OK;
    for (int64_t s = 0; s < count && status == SHERD_OK; ++s)
        status = restore_sleeper(system, in, error);
    if (status != SHERD_OK) return status;
    sherd_byte_reader_take_block(in, sleep->calm.checks, n);
    sherd_quiescence_forget(&sleep->calm);
    return in->failed ? fail_damaged(error) : restore_notes(system, in, error);
}

// ---------------------------------------------------------------- parts

// `number` renumbers elements: local numbers of a part, or its members.
static sherd_status copy_sleeper(sherd_system *to, const sherd_system *from,
                                 const sherd_sleeper *sleeper, const sherd_element_index *number,
                                 sherd_error *error)
{
    sherd_sleeper *s = sherd_sleep_add(to, sleeper->count, error);
    if (s == NULL) return SHERD_ERROR_MEMORY;
    sherd_element_index *member = s->member;
    *s = *sleeper;
    s->member = member;
    s->step = to->step;
    s->isolation = 0.0; // contact sees it anew
    s->seen_centre = s->centre;
    s->seen_elapsed = 0.0;
    s->margin_left = -INFINITY;
    for (sherd_element_index m = 0; m < s->count; ++m) {
        sherd_element_index a = sleeper->member[m], b = number[a];
        member[m] = b;
        for (int c = 0; c < 3; ++c)
            to->sleep.local_at[c][b] = from->sleep.local_at[c][a];
        for (int c = 0; c < 4; ++c)
            to->sleep.local_q[c][b] = from->sleep.local_q[c][a];
    }
    sherd_sleep_take_members(to, s);
    return SHERD_OK;
}

static int compare_notes(const void *a, const void *b)
{
    sherd_element_index x = ((const sherd_resting_note *)a)->root,
                        y = ((const sherd_resting_note *)b)->root;
    return (x > y) - (x < y);
}

// Adds those that `number` has numbers for, as if they had been seen now.
static sherd_status copy_notes(sherd_system *to, const sherd_system *from,
                               const sherd_element_index *number, sherd_error *error)
{
    const sherd_resting_notes *all = &from->sleep.calm.notes;
    sherd_resting_notes *notes = &to->sleep.calm.notes;
    if (!sherd_grow((void **)&notes->list, &notes->capacity, notes->count + all->count,
                    sizeof *notes->list))
        return sherd_fail_memory(error, "bodies that sleep");
    for (size_t k = 0; k < all->count; ++k) {
        sherd_resting_note note = all->list[k];
        note.root = number[note.root];
        note.seen = to->step;
        if (note.root >= 0) notes->list[notes->count++] = note;
    }
    if (notes->count > 1) qsort(notes->list, notes->count, sizeof *notes->list, compare_notes);
    return SHERD_OK;
}

static sherd_status copy_sleepers(sherd_system *to, const sherd_system *from,
                                  const sherd_element_index *number, sherd_error *error)
{
    const sherd_sleepers *sleepers = &from->sleep.sleepers;
    sherd_status status = SHERD_OK;
    for (int32_t s = 0; s < sleepers->count && status == SHERD_OK; ++s)
        if (number[sleepers->list[s].member[0]] >= 0)
            status = copy_sleeper(to, from, &sleepers->list[s], number, error);
    sherd_quiescence_forget(&to->sleep.calm);
    return status == SHERD_OK ? copy_notes(to, from, number, error) : status;
}

sherd_status sherd_sleep_fetch(sherd_system *part, const sherd_system *whole,
                               const sherd_element_index *member, const sherd_element_index *local,
                               sherd_error *error)
{
    for (sherd_element_index m = 0; m < part->elements.count; ++m)
        part->sleep.calm.checks[m] = whole->sleep.calm.checks[member[m]];
    return copy_sleepers(part, whole, local, error);
}

sherd_status sherd_sleep_return(const sherd_system *part, sherd_system *whole,
                                const sherd_element_index *member, sherd_error *error)
{
    for (sherd_element_index m = 0; m < part->elements.count; ++m)
        whole->sleep.calm.checks[member[m]] = part->sleep.calm.checks[m];
    return copy_sleepers(whole, part, member, error);
}

double sherd_sleep_fastest(const sherd_system *system)
{
    const sherd_sleepers *sleepers = &system->sleep.sleepers;
    double fastest = 0.0;
    for (int32_t s = 0; s < sleepers->count; ++s) {
        const sherd_sleeper *at = &sleepers->list[s];
        if (at->rests) continue;
        double t = (double)(system->step - at->step) * system->dt;
        sherd_vec3 v = vec3_add_scaled(at->motion.velocity, t, system->gravity);
        fastest = fmax(fastest, vec3_length(v) + at->rim_speed);
    }
    return fastest;
}
