// Saves and restores the changing state as a record (base/record.h). A restored run continues bit
// for bit: everything that the next step reads is stored; everything else follows from the
// definitions.
#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"

#include <sherd/world.h>

#include <string.h>

// Magic bytes. Those of versions without records were SHSTATS and a letter.
static const char MAGIC[8] = "SHRECORD", FORMER_MAGIC[7] = "SHSTATS";

static const sherd_record_about ABOUT = {
    .where = "checkpoint", .hint = "start the run anew", .complete = true};

static const sherd_row_member STATE[] = {SHERD_MEMBER(sherd_world, probe_steps),
                                         SHERD_MEMBER(sherd_world, start_energy)};
static const sherd_row_layout STATE_LAYOUT = SHERD_ROW_LAYOUT(sherd_world, STATE);

static const sherd_row_member RANGE[] = {
    SHERD_MEMBER(sherd_load_range, least.force), SHERD_MEMBER(sherd_load_range, least.torque),
    SHERD_MEMBER(sherd_load_range, largest.force), SHERD_MEMBER(sherd_load_range, largest.torque)};
static const sherd_row_layout RANGE_LAYOUT = SHERD_ROW_LAYOUT(sherd_load_range, RANGE);

enum { SUMS = 3 };

static void sums_of(const sherd_world *world, sherd_record_column sums[SUMS])
{
    size_t count = (size_t)world->obstacle_count;
    sums[0] = (sherd_record_column){"obstacle_forces", &sherd_rows_vec3, world->obstacle_force_sum,
                                    count, 0};
    sums[1] = (sherd_record_column){"obstacle_torques", &sherd_rows_vec3,
                                    world->obstacle_torque_sum, count, 0};
    sums[2] = (sherd_record_column){"obstacle_ranges", &RANGE_LAYOUT, world->obstacle_range, count,
                                    SHERD_COLUMN_OPTIONAL};
}

static sherd_status append_all(const sherd_world *world, sherd_byte_buffer *out, sherd_error *error)
{
    sherd_record_column sums[SUMS];
    sums_of(world, sums);
    sherd_byte_buffer_append(out, MAGIC, sizeof MAGIC);
    sherd_record_write_one(out, "world", &STATE_LAYOUT, world);
    sherd_record_write_one(out, "largest_energy", &sherd_rows_f64, world->largest_energy);
    sherd_record_write_all(out, sums, SUMS);
    sherd_world_save_steering(world, out);
    sherd_status status = world->stepper->save(&world->system, out, error);
    return status == SHERD_OK && out->failed ? sherd_fail_memory(error, "checkpoint") : status;
}

static sherd_status fail_unprepared(sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "save", "step the world first",
                      "the world has not been stepped yet");
}

sherd_status sherd_world_save(const sherd_world *world, void **state, size_t *size,
                              sherd_error *error)
{
    *state = NULL;
    *size = 0;
    if (!world->prepared) return fail_unprepared(error);
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

// Counts the state, then passes it on.
static sherd_status stream_all(const sherd_world *world, sherd_byte_buffer *out,
                               const sherd_state_sink *sink, size_t *size, sherd_error *error)
{
    sherd_status status = append_all(world, out, error);
    *size = out->size;
    if (status != SHERD_OK || sink == NULL) return status;
    out->size = 0;
    out->stream->take = sink->take, out->stream->context = sink->context;
    status = append_all(world, out, error);
    sherd_byte_buffer_flush(out);
    SHERD_ASSERT(out->failed || out->size == *size, "a state has the size that was counted");
    return status == SHERD_OK && out->failed ? sherd_fail_memory(error, "checkpoint") : status;
}

sherd_status sherd_world_save_pieces(const sherd_world *world, const sherd_state_sink *sink,
                                     size_t *size, sherd_error *error)
{
    *size = 0;
    if (!world->prepared) return fail_unprepared(error);
    sherd_byte_stream stream = {0};
    sherd_byte_buffer out = {.stream = &stream};
    sherd_status status = stream_all(world, &out, sink, size, error);
    sherd_byte_buffer_free(&out);
    sherd_byte_stream_free(&stream);
    return status;
}

static sherd_status check_magic(const void *state, size_t size, sherd_error *error)
{
    if (size >= sizeof MAGIC && memcmp(state, MAGIC, sizeof MAGIC) == 0) return SHERD_OK;
    if (size >= sizeof FORMER_MAGIC && memcmp(state, FORMER_MAGIC, sizeof FORMER_MAGIC) == 0)
        return sherd_fail(
            error, SHERD_ERROR_UNSUPPORTED, "checkpoint",
            "start the run anew, or resume it with the version that wrote it; what it "
            "has can be shown and exported",
            "was written by an older version of Sherd and can't be resumed by this one");
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                      "is damaged or from another version of Sherd");
}

static sherd_status check_obstacles(const sherd_world *world, sherd_record_reader *in,
                                    sherd_error *error)
{
    size_t count = sherd_record_rows(in, "obstacle_forces");
    if (in->status != SHERD_OK || count == (size_t)world->obstacle_count) return in->status;
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint",
                      "resume with the scene, variant and settings it was started with",
                      "belongs to another scene: %lld obstacles, not %d", (long long)count,
                      world->obstacle_count);
}

sherd_status sherd_world_restore(sherd_world *world, const void *state, size_t size,
                                 sherd_error *error)
{
    sherd_status status = sherd_world_prepare(world, error);
    if (status == SHERD_OK) status = check_magic(state, size, error);
    if (status != SHERD_OK) return status;
    sherd_record_reader in =
        sherd_record_open((const char *)state + sizeof MAGIC, size - sizeof MAGIC, &ABOUT, error);
    status = check_obstacles(world, &in, error);
    if (status != SHERD_OK) return status;
    sherd_record_column sums[SUMS];
    sums_of(world, sums);
    sherd_world saved = *world;
    double largest = 0.0;
    sherd_record_read_one(&in, "world", &STATE_LAYOUT, &saved);
    sherd_record_read_one(&in, "largest_energy", &sherd_rows_f64, &largest);
    sherd_record_read_all(&in, sums, SUMS);
    if (in.status == SHERD_OK) in.status = sherd_world_restore_steering(world, &in, error);
    if (in.status == SHERD_OK) in.status = world->stepper->restore(&world->system, &in, error);
    status = sherd_record_close(&in);
    if (status != SHERD_OK) return status;
    sherd_row_copy(&STATE_LAYOUT, world, &saved);
    *world->largest_energy = isfinite(largest) ? largest : 0.0;
    return SHERD_OK;
}

void sherd_world_free_state(void *state)
{
    sherd_free(state);
}
