// The changing state as bytes, and back. Restoring continues bit for bit: everything that the next
// step reads is stored, the rest follows from the definitions.
#include "base/byte_buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"

#include <string.h>

// Changes whenever the layout does.
static const uint64_t STATE_MAGIC = UINT64_C(0x3653544154534853); // "SHSTATS6"

typedef struct state_header {
    uint64_t magic;
    int64_t elements, bonds, drivers, obstacles, step, broken;
    double probe_steps, driver_probe_steps, dt, stable_dt, start_energy;
    sherd_accounts accounts;
    double start_time;
    int64_t start_step, forces_valid, has_contacts, sleeps, has_implicit;
    sherd_pace pace;
} state_header;

static state_header header_of(const sherd_world *world)
{
    const sherd_system *s = &world->system;
    state_header header;
    memset(&header, 0, sizeof header);
    header.magic = STATE_MAGIC;
    header.elements = s->elements.count;
    header.bonds = s->bonds.count;
    header.drivers = s->drivers.count;
    header.obstacles = world->obstacle_count;
    header.step = s->step;
    header.broken = s->bonds.broken_count;
    header.probe_steps = world->probe_steps;
    header.driver_probe_steps = s->drivers.probe_steps;
    header.dt = s->dt;
    header.stable_dt = s->stable_dt;
    header.start_energy = world->start_energy;
    header.accounts = s->accounts;
    header.forces_valid = s->forces_valid;
    header.has_contacts = s->contacts != NULL;
    header.sleeps = s->sleep.enabled;
    header.start_time = s->start_time;
    header.start_step = s->start_step;
    header.has_implicit = s->implicit != NULL;
    header.pace = s->pace;
    return header;
}

// Which bonds are broken, and which of them no list has any more: the order in which loads are added
// depends on the lists.
static sherd_status append_bonds(const sherd_system *s, sherd_byte_buffer *out, sherd_error *error)
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

static sherd_status take_bonds(sherd_system *s, sherd_byte_reader *in, sherd_error *error)
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

sherd_status sherd_world_save(const sherd_world *world, void **state, size_t *size,
                              sherd_error *error)
{
    *state = NULL;
    *size = 0;
    if (!world->prepared)
        return sherd_fail(error, SHERD_ERROR_INPUT, "save", "step the world first",
                          "the world has not been stepped yet");
    const sherd_system *s = &world->system;
    sherd_byte_buffer out = {0};
    state_header header = header_of(world);
    sherd_byte_buffer_append(&out, &header, sizeof header);
    sherd_state_column columns[SHERD_STATE_COLUMNS];
    int count = sherd_elements_state(&s->elements, columns);
    for (int c = 0; c < count; ++c)
        sherd_byte_buffer_append_block(&out, columns[c].array,
                                       (size_t)s->elements.count * columns[c].item_size);
    sherd_status status = append_bonds(s, &out, error);
    for (int d = 0; d < s->drivers.count; ++d) {
        sherd_byte_buffer_append(&out, &s->drivers.drivers[d].force_sum, sizeof(sherd_vec3));
        sherd_byte_buffer_append(&out, &s->drivers.drivers[d].torque_sum, sizeof(sherd_vec3));
    }
    size_t sums = (size_t)world->obstacle_count * sizeof(sherd_vec3);
    sherd_byte_buffer_append_block(&out, world->obstacle_force_sum, sums);
    sherd_byte_buffer_append_block(&out, world->obstacle_torque_sum, sums);
    if (s->contacts != NULL && status == SHERD_OK)
        status = sherd_contacts_save(s->contacts, &out, error);
    if (s->sleep.enabled) sherd_sleep_save(s, &out);
    if (s->implicit != NULL) sherd_implicit_save(s->implicit, &out);
    if (status == SHERD_OK && out.failed) status = sherd_fail_memory(error, "checkpoint");
    if (status != SHERD_OK) {
        sherd_byte_buffer_free(&out);
        return status;
    }
    *state = out.bytes;
    *size = out.size;
    return SHERD_OK;
}

static sherd_status check_header(const sherd_world *world, const state_header *header,
                                 sherd_error *error)
{
    const sherd_system *s = &world->system;
    if (header->magic != STATE_MAGIC)
        return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                          "is damaged or from another version of Sherd");
    if (header->elements != s->elements.count || header->bonds != s->bonds.count ||
        header->drivers != s->drivers.count || header->obstacles != world->obstacle_count ||
        header->has_contacts != (s->contacts != NULL) || header->sleeps != s->sleep.enabled)
        return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint",
                          "resume with the scene, variant and settings it was started with",
                          "belongs to another scene: %lld elements and %lld bonds, not %d and %lld",
                          (long long)header->elements, (long long)header->bonds, s->elements.count,
                          (long long)s->bonds.count);
    return SHERD_OK;
}

static void apply_header(sherd_world *world, const state_header *header)
{
    sherd_system *s = &world->system;
    s->step = header->step;
    s->bonds.broken_count = header->broken;
    world->probe_steps = header->probe_steps;
    s->drivers.probe_steps = header->driver_probe_steps;
    s->dt = header->dt;
    s->stable_dt = header->stable_dt;
    world->start_energy = header->start_energy;
    s->accounts = header->accounts;
    s->forces_valid = header->forces_valid != 0;
    s->start_time = header->start_time;
    s->start_step = header->start_step;
    s->pace = header->pace;
}

sherd_status sherd_world_restore(sherd_world *world, const void *state, size_t size,
                                 sherd_error *error)
{
    sherd_status status = sherd_world_prepare(world, error);
    if (status != SHERD_OK) return status;
    sherd_system *s = &world->system;
    sherd_byte_reader in = {.bytes = state, .size = size};
    state_header header;
    sherd_byte_reader_take(&in, &header, sizeof header);
    status = check_header(world, &header, error);
    if (status != SHERD_OK) return status;
    sherd_state_column columns[SHERD_STATE_COLUMNS];
    int count = sherd_elements_state(&s->elements, columns);
    for (int c = 0; c < count; ++c)
        sherd_byte_reader_take_block(&in, columns[c].array,
                                     (size_t)s->elements.count * columns[c].item_size);
    status = take_bonds(s, &in, error);
    for (int d = 0; d < s->drivers.count; ++d) {
        sherd_byte_reader_take(&in, &s->drivers.drivers[d].force_sum, sizeof(sherd_vec3));
        sherd_byte_reader_take(&in, &s->drivers.drivers[d].torque_sum, sizeof(sherd_vec3));
    }
    size_t sums = (size_t)world->obstacle_count * sizeof(sherd_vec3);
    sherd_byte_reader_take_block(&in, world->obstacle_force_sum, sums);
    sherd_byte_reader_take_block(&in, world->obstacle_torque_sum, sums);
    if (s->contacts != NULL && status == SHERD_OK && !in.failed)
        status = sherd_contacts_restore(s->contacts, &in, error);
    if (s->sleep.enabled && status == SHERD_OK && !in.failed)
        status = sherd_sleep_restore(s, &in, error);
    if (header.has_implicit && status == SHERD_OK && !in.failed)
        status = sherd_system_restore_implicit(s, &in, error);
    if (status == SHERD_OK && in.failed)
        status = sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                            "ends too early: it is damaged");
    if (status != SHERD_OK) return status;
    apply_header(world, &header);
    return SHERD_OK;
}

void sherd_world_free_state(void *state)
{
    sherd_free(state);
}
