#include "output/run/run_checkpoint.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/record.h"
#include "output/run_file/run_paths.h"
#include "output/run_file/run_writer.h"
#include "output/tables/table_resume.h"

#include <sherd/world.h>

#include <stdlib.h>
#include <string.h>

// Data of a checkpoint besides the world, as a record: the computing time so far, and the probe
// readings of the current frame.
static const char MAGIC[8] = "SHRECORD";

static const sherd_record_about ABOUT = {
    .where = "checkpoint", .hint = "start the run anew", .complete = true};

typedef struct saved_reading {
    int64_t frame, probe; // probe: index in `probes`
    double time;
    sherd_probe_reading reading;
} saved_reading;

static const sherd_row_member READING[] = {
    SHERD_MEMBER(saved_reading, frame),
    SHERD_MEMBER(saved_reading, probe),
    SHERD_MEMBER(saved_reading, time),
    SHERD_NAMED_MEMBER(saved_reading, reading.force, "force"),
    SHERD_NAMED_MEMBER(saved_reading, reading.torque, "torque"),
    SHERD_NAMED_MEMBER(saved_reading, reading.displacement, "displacement"),
    SHERD_NAMED_MEMBER(saved_reading, reading.rotation, "rotation"),
    SHERD_ADDED_MEMBER(saved_reading, reading.force_least, 0.0),
    SHERD_ADDED_MEMBER(saved_reading, reading.force_largest, 0.0),
    SHERD_ADDED_MEMBER(saved_reading, reading.torque_least, 0.0),
    SHERD_ADDED_MEMBER(saved_reading, reading.torque_largest, 0.0)};
static const sherd_row_layout READING_LAYOUT = SHERD_ROW_LAYOUT(saved_reading, READING);

// ---------------------------------------------------------------- writing

static int64_t probe_of_row(const sherd_run_loop *loop, const sherd_probe_row *row)
{
    for (int k = 0; k < loop->scene->probe_count; ++k)
        if (loop->scene->probes[k].name == row->name) return k;
    return -1;
}

// Names with terminating zeros, because a resumed run may have other probes.
static void put_probes(const sherd_run_loop *loop, sherd_byte_buffer *out)
{
    const sherd_scene *scene = loop->scene;
    size_t size = 0;
    for (int k = 0; k < scene->probe_count; ++k)
        size += strlen(scene->probes[k].name) + 1;
    sherd_record_write_head(out, "probes", &sherd_rows_u8, size);
    for (int k = 0; k < scene->probe_count; ++k)
        sherd_record_write_rows(out, &sherd_rows_u8, scene->probes[k].name,
                                strlen(scene->probes[k].name) + 1);
}

static void put_extra(const sherd_run_loop *loop, sherd_byte_buffer *out)
{
    double wall = sherd_run_loop_wall(loop);
    sherd_byte_buffer_append(out, MAGIC, sizeof MAGIC);
    sherd_record_write_one(out, "wall", &sherd_rows_f64, &wall);
    put_probes(loop, out);
    sherd_record_write_head(out, "readings", &READING_LAYOUT, (size_t)loop->row_count);
    for (int64_t k = 0; k < loop->row_count; ++k) {
        const sherd_probe_row *row = &loop->rows[k];
        saved_reading reading = {row->frame, probe_of_row(loop, row), row->time, row->reading};
        sherd_record_write_rows(out, &READING_LAYOUT, &reading, 1);
    }
}

static sherd_status write_state(const sherd_run_loop *loop, const sherd_byte_buffer *extra,
                                sherd_error *error)
{
    if (extra->failed) return sherd_fail_memory(error, "a checkpoint");
    sherd_fragment_view view = sherd_fragments_view(loop->fragments);
    sherd_run_checkpoint checkpoint = {.frame = loop->frame,
                                       .element_fragment = view.element_fragment,
                                       .element_count = loop->model.element_count,
                                       .next_fragment = view.next_id,
                                       .extra = extra->bytes,
                                       .extra_size = extra->size};
    return sherd_run_writer_checkpoint_of(loop->writer, &checkpoint, loop->world, error);
}

sherd_status sherd_run_checkpoint_write(sherd_run_loop *loop, sherd_error *error)
{
    if (sherd_table_writer_sync(loop->stats, error) != SHERD_OK ||
        sherd_table_writer_sync(loop->probes, error) != SHERD_OK ||
        sherd_table_writer_sync(loop->breaks, error) != SHERD_OK)
        return error->status;
    sherd_byte_buffer extra = {0};
    put_extra(loop, &extra);
    sherd_status status = write_state(loop, &extra, error);
    sherd_byte_buffer_free(&extra);
    return status;
}

// ---------------------------------------------------------------- readings

sherd_status sherd_run_add_reading(sherd_run_loop *loop, int probe, int64_t frame, double time,
                                   sherd_probe_reading reading, sherd_error *error)
{
    SHERD_ASSERT(probe >= 0 && probe < loop->scene->probe_count,
                 "readings are of probes of the scene");
    if (loop->row_count == loop->row_capacity) {
        int64_t capacity = 2 * loop->row_capacity + 64;
        sherd_probe_row *rows = realloc(loop->rows, (size_t)capacity * sizeof *rows);
        if (rows == NULL) return sherd_fail_memory(error, "readings of probes");
        loop->rows = rows;
        loop->row_capacity = capacity;
    }
    const sherd_scene_probe *p = &loop->scene->probes[probe];
    const char *kind = p->on_obstacle                                                 ? "obstacle"
                       : loop->scene->drivers[p->index].def.drive == SHERD_DRIVE_NONE ? "probe"
                                                                                      : "driver";
    loop->rows[loop->row_count++] = (sherd_probe_row){frame, time, p->name, kind, reading};
    return SHERD_OK;
}

// ---------------------------------------------------------------- restoring

// The index of the scene's probe with the n-th saved name; -1: it has none.
static int probe_of_saved(const sherd_run_loop *loop, const char *names, size_t size, int64_t n)
{
    const char *name = names, *end = names + size;
    for (int64_t k = 0; k < n && name < end; ++k)
        name += strlen(name) + 1;
    if (n < 0 || name >= end) return -1;
    for (int k = 0; k < loop->scene->probe_count; ++k)
        if (strcmp(loop->scene->probes[k].name, name) == 0) return k;
    return -1;
}

static sherd_status take_readings(sherd_run_loop *loop, sherd_record_reader *in, const char *names,
                                  size_t size, sherd_error *error)
{
    sherd_record_pieces pieces = sherd_record_read_head(in, "readings", &READING_LAYOUT);
    sherd_status status = SHERD_OK;
    while (in->status == SHERD_OK && status == SHERD_OK && pieces.left > 0) {
        saved_reading saved;
        sherd_record_read_rows(in, &pieces, &saved, 1);
        if (in->status != SHERD_OK) break;
        int probe = probe_of_saved(loop, names, size, saved.probe);
        if (probe >= 0)
            status =
                sherd_run_add_reading(loop, probe, saved.frame, saved.time, saved.reading, error);
    }
    return status;
}

static sherd_status restore_extra(sherd_run_loop *loop, const sherd_run_checkpoint *checkpoint,
                                  sherd_error *error)
{
    const char *bytes = checkpoint->extra;
    if (checkpoint->extra_size < sizeof MAGIC || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return sherd_run_fail_old_format(loop->folder, error);
    sherd_record_reader in = sherd_record_open(
        bytes + sizeof MAGIC, checkpoint->extra_size - sizeof MAGIC, &ABOUT, error);
    sherd_record_read_one(&in, "wall", &sherd_rows_f64, &loop->wall_before);
    size_t size = sherd_record_rows(&in, "probes");
    char *names = calloc(size + 1, 1); // terminated even if the last name is not
    if (names == NULL) return sherd_fail_memory(error, "a checkpoint");
    sherd_record_read(&in, &(sherd_record_column){"probes", &sherd_rows_u8, names, size, 0});
    sherd_status status = take_readings(loop, &in, names, size, error);
    free(names);
    return status == SHERD_OK ? sherd_record_close(&in) : status;
}

sherd_status sherd_run_checkpoint_restore(sherd_run_loop *loop,
                                          const sherd_run_checkpoint *checkpoint,
                                          sherd_error *error)
{
    sherd_status status =
        sherd_world_restore(loop->world, checkpoint->state, checkpoint->state_size, error);
    if (status == SHERD_OK)
        status =
            sherd_fragments_restore(loop->fragments, checkpoint->element_fragment,
                                    checkpoint->element_count, checkpoint->next_fragment, error);
    if (status == SHERD_OK) status = restore_extra(loop, checkpoint, error);
    if (status == SHERD_OK) loop->frame = checkpoint->frame;
    return status;
}
