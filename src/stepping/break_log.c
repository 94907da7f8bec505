#include "stepping/break_log.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>

void sherd_break_log_free(sherd_break_log *log)
{
    sherd_free(log->list);
    *log = (sherd_break_log){0};
}

sherd_broken sherd_broken_of(const sherd_bonds *bonds, const sherd_elements *elements, int64_t bond,
                             const sherd_bond_analysis *analysis, double time)
{
    SHERD_ASSERT(bond >= 0 && bond < bonds->count, "the bond is one of the list");
    sherd_vec3 i = sherd_element_position(elements, bonds->i[bond]),
               j = sherd_element_position(elements, bonds->j[bond]);
    return (sherd_broken){bond, time, vec3_scale(0.5, vec3_add(i, j)), analysis->energy,
                          (uint64_t)analysis->mode};
}

static bool make_room(sherd_break_log *log, size_t more)
{
    return sherd_grow((void **)&log->list, &log->capacity, log->count + more, sizeof *log->list);
}

sherd_status sherd_break_log_add(sherd_break_log *log, const sherd_broken *broken,
                                 sherd_error *error)
{
    if (!make_room(log, 1)) return sherd_fail_memory(error, "broken bonds");
    log->list[log->count++] = *broken;
    return SHERD_OK;
}

sherd_status sherd_break_log_hand_over(sherd_break_log *part, const sherd_bonds *bonds,
                                       sherd_break_log *whole, sherd_error *error)
{
    if (part->count == 0) return SHERD_OK;
    if (!make_room(whole, part->count)) return sherd_fail_memory(error, "broken bonds");
    for (size_t k = 0; k < part->count; ++k) {
        sherd_broken broken = part->list[k];
        SHERD_ASSERT(broken.bond >= 0 && broken.bond < bonds->count, "a part logs its own bonds");
        broken.bond = bonds->whole[broken.bond];
        whole->list[whole->count++] = broken;
    }
    part->count = 0;
    return SHERD_OK;
}

// ---------------------------------------------------------------- saving

static const sherd_row_member BROKEN[] = {
    SHERD_MEMBER(sherd_broken, bond), SHERD_MEMBER(sherd_broken, time),
    SHERD_MEMBER(sherd_broken, place), SHERD_MEMBER(sherd_broken, energy),
    SHERD_MEMBER(sherd_broken, mode)};
static const sherd_row_layout BROKEN_LAYOUT = SHERD_ROW_LAYOUT(sherd_broken, BROKEN);

static sherd_record_column column_of(const sherd_break_log *log)
{
    return (sherd_record_column){"breaks", &BROKEN_LAYOUT, log->list, log->count, 0};
}

void sherd_break_log_save(const sherd_break_log *log, sherd_byte_buffer *out)
{
    sherd_record_column column = column_of(log);
    sherd_record_write(out, &column);
}

static bool is_sound(const sherd_broken *b, int64_t bond_count)
{
    return b->bond >= 0 && b->bond < bond_count && isfinite(b->time) &&
           b->mode < SHERD_BREAK_MODE_COUNT;
}

sherd_status sherd_break_log_restore(sherd_break_log *log, int64_t bond_count,
                                     sherd_record_reader *in, sherd_error *error)
{
    log->count = 0;
    if (!sherd_record_has(in, "breaks")) return in->status;
    size_t count = sherd_record_rows(in, "breaks");
    if (in->status != SHERD_OK) return in->status;
    if (!make_room(log, count)) return sherd_fail_memory(error, "broken bonds");
    log->count = count;
    sherd_record_column column = column_of(log);
    sherd_record_read(in, &column);
    for (size_t k = 0; k < count && in->status == SHERD_OK; ++k)
        if (!is_sound(&log->list[k], bond_count))
            in->status = sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                                    "is damaged or from another version of Sherd");
    if (in->status != SHERD_OK) log->count = 0;
    return in->status;
}
