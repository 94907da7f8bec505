// The changing state as bytes, and back. Restoring continues bit for bit: everything that the next
// step reads is stored, the rest follows from the definitions.
#include "base/byte_buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "stepping/regions/regions.h"
#include "stepping/system_state.h"
#include "world/world.h"

#include <string.h>

// Changes whenever the layout does.
static const uint64_t STATE_MAGIC = UINT64_C(0x4453544154534853); // "SHSTATSD"

typedef struct state_header {
    uint64_t magic;
    int64_t obstacles;
    double probe_steps, start_energy, largest_energy;
} state_header;

static sherd_status append_all(const sherd_world *world, sherd_byte_buffer *out, sherd_error *error)
{
    state_header header = {STATE_MAGIC, world->obstacle_count, world->probe_steps,
                           world->start_energy, *world->largest_energy};
    sherd_byte_buffer_append(out, &header, sizeof header);
    size_t sums = (size_t)world->obstacle_count * sizeof(sherd_vec3);
    sherd_byte_buffer_append_block(out, world->obstacle_force_sum, sums);
    sherd_byte_buffer_append_block(out, world->obstacle_torque_sum, sums);
    sherd_status status = sherd_system_save(&world->system, out, error);
    if (status == SHERD_OK) status = sherd_regions_save(&world->system, out, error);
    return status == SHERD_OK && out->failed ? sherd_fail_memory(error, "checkpoint") : status;
}

sherd_status sherd_world_save(const sherd_world *world, void **state, size_t *size,
                              sherd_error *error)
{
    *state = NULL;
    *size = 0;
    if (!world->prepared)
        return sherd_fail(error, SHERD_ERROR_INPUT, "save", "step the world first",
                          "the world has not been stepped yet");
    sherd_byte_buffer out = {0};
    sherd_status status = append_all(world, &out, error);
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
    if (header->magic != STATE_MAGIC)
        return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                          "is damaged or from another version of Sherd");
    if (header->obstacles == world->obstacle_count) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint",
                      "resume with the scene, variant and settings it was started with",
                      "belongs to another scene: %lld obstacles, not %d",
                      (long long)header->obstacles, world->obstacle_count);
}

sherd_status sherd_world_restore(sherd_world *world, const void *state, size_t size,
                                 sherd_error *error)
{
    sherd_status status = sherd_world_prepare(world, error);
    if (status != SHERD_OK) return status;
    sherd_byte_reader in = {.bytes = state, .size = size};
    state_header header;
    sherd_byte_reader_take(&in, &header, sizeof header);
    status = check_header(world, &header, error);
    if (status != SHERD_OK) return status;
    size_t sums = (size_t)world->obstacle_count * sizeof(sherd_vec3);
    sherd_byte_reader_take_block(&in, world->obstacle_force_sum, sums);
    sherd_byte_reader_take_block(&in, world->obstacle_torque_sum, sums);
    status = sherd_system_restore(&world->system, &in, error);
    if (status == SHERD_OK) status = sherd_regions_restore(&world->system, &in, error);
    if (status != SHERD_OK) return status;
    world->probe_steps = header.probe_steps;
    world->start_energy = header.start_energy;
    *world->largest_energy = isfinite(header.largest_energy) ? header.largest_energy : 0.0;
    return SHERD_OK;
}

void sherd_world_free_state(void *state)
{
    sherd_free(state);
}
