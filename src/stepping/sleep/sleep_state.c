// Saving and restoring sleepers, and moving them between a world and its parts.
#include "base/assertion.h"
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

// Without its members.
static const sherd_row_member SLEEPER[] = {
    SHERD_MEMBER(sherd_sleeper, count),
    SHERD_NAMED_MEMBER(sherd_sleeper, motion.properties.mass, "mass"),
    SHERD_NAMED_MEMBER(sherd_sleeper, motion.properties.centre, "mass_centre"),
    SHERD_NAMED_MEMBER(sherd_sleeper, motion.properties.inertia, "inertia"),
    SHERD_NAMED_MEMBER(sherd_sleeper, motion.properties.axes, "axes"),
    SHERD_MEMBER(sherd_sleeper, motion.start),
    SHERD_MEMBER(sherd_sleeper, motion.centre),
    SHERD_MEMBER(sherd_sleeper, motion.rotation),
    SHERD_MEMBER(sherd_sleeper, motion.velocity),
    SHERD_MEMBER(sherd_sleeper, motion.angular_momentum),
    SHERD_MEMBER(sherd_sleeper, step),
    SHERD_NAMED_MEMBER(sherd_sleeper, is_at_rest, "rests"),
    SHERD_MEMBER(sherd_sleeper, radius),
    SHERD_MEMBER(sherd_sleeper, rim_speed),
    SHERD_MEMBER(sherd_sleeper, centre),
    SHERD_NAMED_MEMBER(sherd_sleeper, search_centre, "seen_centre"),
    SHERD_NAMED_MEMBER(sherd_sleeper, search_elapsed, "seen_elapsed"),
    SHERD_MEMBER(sherd_sleeper, margin_left),
    SHERD_MEMBER(sherd_sleeper, range),
    SHERD_MEMBER(sherd_sleeper, isolation),
    SHERD_MEMBER(sherd_sleeper, isolated_at)};
static const sherd_row_layout SLEEPER_LAYOUT = SHERD_ROW_LAYOUT(sherd_sleeper, SLEEPER);

static const sherd_row_member NOTE[] = {
    SHERD_MEMBER(sherd_resting_note, root), SHERD_MEMBER(sherd_resting_note, unused),
    SHERD_MEMBER(sherd_resting_note, seen), SHERD_MEMBER(sherd_resting_note, since),
    SHERD_MEMBER(sherd_resting_note, mass), SHERD_MEMBER(sherd_resting_note, velocity)};
const sherd_row_layout sherd_resting_note_layout = SHERD_ROW_LAYOUT(sherd_resting_note, NOTE);

static sherd_record_column checks_of(const sherd_system *system)
{
    return (sherd_record_column){"checks", &sherd_rows_u8, system->sleep.quiescence.checks,
                                 (size_t)system->elements.count, 0};
}

// Members of all sleepers are concatenated, and so are their local positions.
static void save_members(const sherd_sleep *sleep, sherd_byte_buffer *out)
{
    const sherd_sleepers *sleepers = &sleep->sleepers;
    size_t sum = 0;
    for (int32_t s = 0; s < sleepers->count; ++s)
        sum += (size_t)sleepers->list[s].count;
    sherd_record_write_head(out, "members", &sherd_rows_i32, sum);
    for (int32_t s = 0; s < sleepers->count; ++s)
        sherd_record_write_rows(out, &sherd_rows_i32, sleepers->list[s].member,
                                (size_t)sleepers->list[s].count);
    sherd_record_write_head(out, "places", &sherd_rows_pose, sum);
    for (int32_t s = 0; s < sleepers->count; ++s)
        for (sherd_element_index m = 0; m < sleepers->list[s].count; ++m) {
            sherd_element_index k = sleepers->list[s].member[m];
            sherd_pose pose = {
                {sleep->local_at[0][k], sleep->local_at[1][k], sleep->local_at[2][k]},
                {sleep->local_q[0][k], sleep->local_q[1][k], sleep->local_q[2][k],
                 sleep->local_q[3][k]}};
            sherd_record_write_rows(out, &sherd_rows_pose, &pose, 1);
        }
}

void sherd_sleep_save(const sherd_system *system, sherd_byte_buffer *out)
{
    const sherd_sleep *sleep = &system->sleep;
    const sherd_resting_notes *notes = &sleep->quiescence.notes;
    sherd_record_column checks = checks_of(system);
    size_t begun = sherd_record_begin(out, "sleep");
    sherd_record_write(out,
                       &(sherd_record_column){"sleepers", &SLEEPER_LAYOUT, sleep->sleepers.list,
                                              (size_t)sleep->sleepers.count, 0});
    save_members(sleep, out);
    sherd_record_write(out, &checks);
    sherd_record_write(out, &(sherd_record_column){"resting", &sherd_resting_note_layout,
                                                   notes->list, notes->count, 0});
    sherd_record_end(out, begun);
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

typedef struct member_columns {
    sherd_record_pieces members, places;
} member_columns;

// `saved` has the members of its row.
static sherd_status restore_sleeper(sherd_system *system, const sherd_sleeper *saved,
                                    member_columns *columns, sherd_record_reader *in,
                                    sherd_error *error)
{
    sherd_sleep *sleep = &system->sleep;
    if (saved->count < 1 || (size_t)saved->count > columns->members.left ||
        saved->count > system->elements.count)
        return fail_damaged(error);
    sherd_sleeper *s = sherd_sleep_add(system, saved->count, error);
    if (s == NULL) return SHERD_ERROR_MEMORY;
    sherd_row_copy(&SLEEPER_LAYOUT, s, saved);
    sherd_record_read_rows(in, &columns->members, s->member, (size_t)s->count);
    if (in->status != SHERD_OK) return in->status;
    if (!members_are_valid(system, s)) return fail_damaged(error);
    for (sherd_element_index m = 0; m < s->count; ++m) {
        sherd_element_index k = s->member[m];
        sherd_pose pose = {0};
        sherd_record_read_rows(in, &columns->places, &pose, 1);
        sleep->local_at[0][k] = pose.position.x;
        sleep->local_at[1][k] = pose.position.y;
        sleep->local_at[2][k] = pose.position.z;
        sleep->local_q[0][k] = pose.rotation.x;
        sleep->local_q[1][k] = pose.rotation.y;
        sleep->local_q[2][k] = pose.rotation.z;
        sleep->local_q[3][k] = pose.rotation.w;
    }
    sherd_sleep_assign_members(system, s);
    return in->status;
}

static sherd_status restore_sleepers(sherd_system *system, sherd_record_reader *in,
                                     sherd_error *error)
{
    size_t count = sherd_record_rows(in, "sleepers");
    if (in->status != SHERD_OK) return in->status;
    if (count > (size_t)system->elements.count) return fail_damaged(error);
    sherd_sleeper *saved = sherd_alloc(count, sizeof *saved);
    if (saved == NULL) return sherd_fail_memory(error, "bodies that sleep");
    sherd_record_read(in, &(sherd_record_column){"sleepers", &SLEEPER_LAYOUT, saved, count, 0});
    member_columns columns = {sherd_record_read_head(in, "members", &sherd_rows_i32),
                              sherd_record_read_head(in, "places", &sherd_rows_pose)};
    sherd_status status = in->status;
    for (size_t s = 0; s < count && status == SHERD_OK; ++s)
        status = restore_sleeper(system, &saved[s], &columns, in, error);
    sherd_free(saved);
    return status;
}

static sherd_status restore_notes(sherd_system *system, sherd_record_reader *in, sherd_error *error)
{
    sherd_resting_notes *notes = &system->sleep.quiescence.notes;
    size_t count = sherd_record_rows(in, "resting");
    if (in->status != SHERD_OK) return in->status;
    if (count > (size_t)system->elements.count) return fail_damaged(error);
    if (!sherd_grow((void **)&notes->list, &notes->capacity, count, sizeof *notes->list))
        return sherd_fail_memory(error, "bodies that sleep");
    sherd_record_read(
        in, &(sherd_record_column){"resting", &sherd_resting_note_layout, notes->list, count, 0});
    if (in->status != SHERD_OK) return in->status;
    for (size_t k = 0; k < count; ++k)
        if (notes->list[k].root >= system->elements.count ||
            notes->list[k].root <= (k > 0 ? notes->list[k - 1].root : -1))
            return fail_damaged(error);
    notes->count = count;
    return SHERD_OK;
}

sherd_status sherd_sleep_restore(sherd_system *system, sherd_record_reader *in, sherd_error *error)
{
    sherd_record_column checks = checks_of(system);
    sherd_record_reader part = sherd_record_enter(in, "sleep");
    sherd_sleep_forget(system);
    sherd_status status = restore_sleepers(system, &part, error);
    sherd_record_read(&part, &checks);
    if (status == SHERD_OK) {
        sherd_quiescence_forget(&system->sleep.quiescence);
        status = restore_notes(system, &part, error);
    }
    if (part.status == SHERD_OK) part.status = status;
    return sherd_record_leave(&part);
}

// ---------------------------------------------------------------- parts

// `number` renumbers elements: local indices of a part, or its members.
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
    s->isolation = 0.0; // contact computes its bounds again
    s->search_centre = s->centre;
    s->search_elapsed = 0.0;
    s->margin_left = -INFINITY;
    for (sherd_element_index m = 0; m < s->count; ++m) {
        sherd_element_index a = sleeper->member[m], b = number[a];
        member[m] = b;
        for (int c = 0; c < 3; ++c)
            to->sleep.local_at[c][b] = from->sleep.local_at[c][a];
        for (int c = 0; c < 4; ++c)
            to->sleep.local_q[c][b] = from->sleep.local_q[c][a];
    }
    sherd_sleep_assign_members(to, s);
    return SHERD_OK;
}

static int compare_notes(const void *a, const void *b)
{
    sherd_element_index x = ((const sherd_resting_note *)a)->root,
                        y = ((const sherd_resting_note *)b)->root;
    return (x > y) - (x < y);
}

// Adds those with a valid `number`, as if they had been checked at present.
static sherd_status copy_notes(sherd_system *to, const sherd_system *from,
                               const sherd_element_index *number, sherd_error *error)
{
    const sherd_resting_notes *all = &from->sleep.quiescence.notes;
    sherd_resting_notes *notes = &to->sleep.quiescence.notes;
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
    sherd_quiescence_forget(&to->sleep.quiescence);
    return status == SHERD_OK ? copy_notes(to, from, number, error) : status;
}

sherd_status sherd_sleep_fetch(sherd_system *part, const sherd_system *whole,
                               const sherd_element_index *member, const sherd_element_index *local,
                               sherd_error *error)
{
    for (sherd_element_index m = 0; m < part->elements.count; ++m)
        part->sleep.quiescence.checks[m] = whole->sleep.quiescence.checks[member[m]];
    return copy_sleepers(part, whole, local, error);
}

sherd_status sherd_sleep_return(const sherd_system *part, sherd_system *whole,
                                const sherd_element_index *member, sherd_error *error)
{
    for (sherd_element_index m = 0; m < part->elements.count; ++m)
        whole->sleep.quiescence.checks[member[m]] = part->sleep.quiescence.checks[m];
    return copy_sleepers(whole, part, member, error);
}

double sherd_sleeper_speed(const sherd_system *system, int32_t sleeper)
{
    SHERD_ASSERT(sleeper >= 0 && sleeper < system->sleep.sleepers.count &&
                     system->step >= system->sleep.sleepers.list[sleeper].step,
                 "time advances while a body sleeps");
    const sherd_sleeper *at = &system->sleep.sleepers.list[sleeper];
    if (at->is_at_rest) return 0.0;
    double t = (double)(system->step - at->step) * system->dt;
    sherd_vec3 v = vec3_add_scaled(at->motion.velocity, t, system->gravity);
    return vec3_length(v) + at->rim_speed;
}

double sherd_sleep_fastest(const sherd_system *system)
{
    double fastest = 0.0;
    for (int32_t s = 0; s < system->sleep.sleepers.count; ++s)
        fastest = fmax(fastest, sherd_sleeper_speed(system, s));
    return fastest;
}
