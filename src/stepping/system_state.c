#include "stepping/system_state.h"

#include "base/error.h"
#include "base/memory.h"
#include "stepping/control/ringing.h"
#include "stepping/implicit/implicit_step.h"
#include "stepping/regions/regions.h"
#include "stepping/sleep/rigid_sleep.h"

#include <math.h>
#include <string.h>

typedef struct system_record {
    int64_t elements, bonds, drivers, broken, step;
    double driver_probe_steps, dt, stable_dt, path, fastest, farthest;
    sherd_split split;
    sherd_accounts accounts;
    double start_time;
    int64_t start_step, forces_valid, has_contacts, sleeps, has_implicit;
    sherd_step_control control;
} system_record;

static system_record record_of(const sherd_system *s)
{
    system_record record;
    memset(&record, 0, sizeof record);
    record.elements = s->elements.count;
    record.bonds = s->bonds.count;
    record.drivers = s->drivers.count;
    record.broken = s->bonds.broken_count;
    record.step = s->step;
    record.driver_probe_steps = s->drivers.probe_steps;
    record.dt = s->dt;
    record.stable_dt = s->stable_dt;
    record.path = s->path;
    record.fastest = s->fastest;
    record.farthest = s->farthest;
    record.split = s->split;
    record.accounts = s->accounts;
    record.start_time = s->start_time;
    record.start_step = s->start_step;
    record.forces_valid = s->forces_valid;
    record.has_contacts = s->contacts != NULL;
    record.sleeps = s->sleep.enabled;
    record.has_implicit = s->implicit != NULL;
    record.control = s->control;
    return record;
}

// Which bonds are broken, and which of them no list has any more: the order in which loads are added
// depends on the lists.
static sherd_status save_bonds(const sherd_system *s, sherd_byte_buffer *out, sherd_error *error)
{
    size_t count = (size_t)s->bonds.count;
    uint8_t *unlisted = sherd_alloc(count, 1);
    if (unlisted == NULL) return sherd_fail_memory(error, "checkpoint");
    sherd_bond_blocks_unlisted(&s->blocks, &s->bonds, unlisted);
    sherd_byte_buffer_append_block(out, s->bonds.broken, count);
    sherd_byte_buffer_append_block(out, unlisted, count);
    sherd_free(unlisted);
    return SHERD_OK;
}

static sherd_status restore_bonds(sherd_system *s, sherd_byte_reader *in, sherd_error *error)
{
    size_t count = (size_t)s->bonds.count;
    uint8_t *unlisted = sherd_alloc(count, 1);
    if (unlisted == NULL) return sherd_fail_memory(error, "checkpoint");
    sherd_byte_reader_take_block(in, s->bonds.broken, count);
    sherd_byte_reader_take_block(in, unlisted, count);
    for (size_t k = 0; k < count; ++k)
        unlisted[k] = unlisted[k] && s->bonds.broken[k]; // whatever damaged bytes say
    sherd_status status =
        sherd_bond_blocks_refresh(&s->blocks, &s->bonds, &s->elements, unlisted, error);
    sherd_free(unlisted);
    return status;
}

sherd_status sherd_system_save(const sherd_system *s, sherd_byte_buffer *out, sherd_error *error)
{
    system_record record = record_of(s);
    sherd_byte_buffer_append_block(out, &record, sizeof record);
    sherd_state_column columns[SHERD_STATE_COLUMNS];
    int count = sherd_elements_state(&s->elements, columns);
    for (int c = 0; c < count; ++c)
        sherd_byte_buffer_append_block(out, columns[c].array,
                                       (size_t)s->elements.count * columns[c].item_size);
    sherd_status status = save_bonds(s, out, error);
    for (int d = 0; d < s->drivers.count; ++d) {
        sherd_byte_buffer_append(out, &s->drivers.drivers[d].force_sum, sizeof(sherd_vec3));
        sherd_byte_buffer_append(out, &s->drivers.drivers[d].torque_sum, sizeof(sherd_vec3));
    }
    if (s->contacts != NULL && status == SHERD_OK)
        status = sherd_contacts_save(s->contacts, out, error);
    if (s->sleep.enabled) sherd_sleep_save(s, out);
    if (s->implicit != NULL) sherd_implicit_save(s->implicit, out);
    sherd_ringing_save(s, out);
    return status == SHERD_OK && out->failed ? sherd_fail_memory(error, "checkpoint") : status;
}

// Steps are counted from 0, and a double counts them.
static bool counts_are_sound(const sherd_system *s, const system_record *record)
{
    const int64_t most = INT64_C(1) << 53;
    return record->step >= 0 && record->step <= most && record->start_step >= 0 &&
           record->start_step <= record->step && record->broken >= 0 &&
           record->broken <= s->bonds.count;
}

// Steps have a length, which is not known before the first; without bonds there is no limit to it.
static bool times_are_sound(const system_record *record)
{
    return isfinite(record->dt) && record->dt >= 0.0 && record->stable_dt >= 0.0 &&
           isfinite(record->start_time) && record->start_time >= 0.0;
}

static sherd_status check_record(const sherd_system *s, const system_record *record,
                                 const sherd_byte_reader *in, sherd_error *error)
{
    bool here = record->elements == s->elements.count && record->bonds == s->bonds.count;
    if (in->failed || (here && !(counts_are_sound(s, record) && times_are_sound(record))))
        return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                          "is damaged or from another version of Sherd");
    if (here && record->drivers == s->drivers.count &&
        record->has_contacts == (s->contacts != NULL) && record->sleeps == s->sleep.enabled)
        return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint",
                      "resume with the scene, variant and settings it was started with",
                      "belongs to another scene: %lld elements and %lld bonds, not %d and %lld",
                      (long long)record->elements, (long long)record->bonds, s->elements.count,
                      (long long)s->bonds.count);
}

static void apply_record(sherd_system *s, const system_record *record)
{
    s->step = record->step;
    s->bonds.broken_count = record->broken;
    s->drivers.probe_steps = record->driver_probe_steps;
    s->dt = record->dt;
    s->stable_dt = record->stable_dt;
    s->path = record->path;
    s->fastest = record->fastest;
    s->farthest = record->farthest;
    s->split = record->split;
    s->accounts = record->accounts;
    s->forces_valid = record->forces_valid != 0;
    s->start_time = record->start_time;
    s->start_step = record->start_step;
    s->control = record->control;
    for (size_t c = 0; c < s->chunk_count; ++c)
        s->chunks[c].kick_due = false;
}

static sherd_status restore_implicit(sherd_system *s, bool has_implicit, sherd_byte_reader *in,
                                     sherd_error *error)
{
    if (has_implicit) return sherd_system_restore_implicit(s, in, error);
    sherd_implicit_destroy(s->implicit);
    s->implicit = NULL;
    return SHERD_OK;
}

sherd_status sherd_system_restore(sherd_system *s, sherd_byte_reader *in, sherd_error *error)
{
    system_record record;
    sherd_byte_reader_take_block(in, &record, sizeof record);
    sherd_status status = check_record(s, &record, in, error);
    if (status != SHERD_OK) return status;
    sherd_state_column columns[SHERD_STATE_COLUMNS];
    int count = sherd_elements_state(&s->elements, columns);
    for (int c = 0; c < count; ++c)
        sherd_byte_reader_take_block(in, columns[c].array,
                                     (size_t)s->elements.count * columns[c].item_size);
    status = restore_bonds(s, in, error);
    for (int d = 0; d < s->drivers.count; ++d) {
        sherd_byte_reader_take(in, &s->drivers.drivers[d].force_sum, sizeof(sherd_vec3));
        sherd_byte_reader_take(in, &s->drivers.drivers[d].torque_sum, sizeof(sherd_vec3));
    }
    if (s->contacts != NULL && status == SHERD_OK && !in->failed)
        status = sherd_contacts_restore(s->contacts, in, error);
    if (s->sleep.enabled && status == SHERD_OK && !in->failed)
        status = sherd_sleep_restore(s, in, error);
    if (status == SHERD_OK && !in->failed)
        status = restore_implicit(s, record.has_implicit != 0, in, error);
    if (status == SHERD_OK && in->failed)
        status = sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                            "ends too early: it is damaged");
    if (status != SHERD_OK) return status;
    apply_record(s, &record);
    return sherd_ringing_restore(s, in, error);
}

void sherd_system_free(sherd_system *s)
{
    sherd_regions_destroy(s->regions);
    sherd_elements_free(&s->elements);
    sherd_bonds_free(&s->bonds);
    sherd_bond_blocks_free(&s->blocks);
    sherd_adjacency_free(&s->adjacency);
    sherd_drivers_free(&s->drivers);
    sherd_sleep_free(&s->sleep);
    sherd_implicit_destroy(s->implicit);
    sherd_ringing_destroy(s->ringing);
    if (s->contacts != NULL) sherd_contacts_destroy(s->contacts);
    sherd_free(s->chunks);
    sherd_free(s->moves);
    sherd_free(s->breaking);
}

void sherd_system_add_memory(const sherd_system *s, sherd_memory_use *use)
{
    size_t n = (size_t)s->elements.count;
    use->elements +=
        sherd_elements_bytes(&s->elements) + n * sizeof *s->adjacency.start + sherd_sleep_bytes(s);
    use->bonds += sherd_bonds_bytes(&s->bonds) +
                  2 * (size_t)s->bonds.count * sizeof *s->adjacency.bond +
                  sherd_bond_blocks_bytes(&s->blocks);
    if (s->contacts != NULL) use->contacts += sherd_contacts_bytes(s->contacts);
    if (s->implicit != NULL) use->implicit += sherd_implicit_bytes(s->implicit);
    use->implicit += sherd_ringing_bytes(s->ringing);
    if (s->regions == NULL) return;
    use->elements += n * (sizeof *s->regions->of + sizeof *s->regions->list->member);
    for (int r = 0; r < s->regions->count; ++r)
        sherd_system_add_memory(&s->regions->list[r].system, use);
}
