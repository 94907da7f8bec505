#include "output/run_file/run_writer.h"
#include "base/assertion.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "output/run_file/run_check.h"
#include "output/run_file/run_format.h"
#include "output/run_file/run_paths.h"
#include "output/run_file/run_schema.h"

#include <sherd/file.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_COLUMN_NAME = 63 };

struct sherd_run_writer {
    char *folder;
    sherd_file_writer *file;
    sherd_parallel parallel;
    uint64_t run_id;
    sherd_element_index element_count;
    sherd_bond_index bond_count;
    int obstacle_count;
    int64_t next_frame;
    int64_t first_plan, plan;       // planned frames: in INFO; at present, 0: the same
    bool failed;                    // a frame was written only partly
    uint8_t *broken;                // state in the last frame written              (bond_count)
    sherd_bond_index *newly_broken; // scratch: bonds broken since the last frame (bond_count)
};

static void writer_free(sherd_run_writer *writer)
{
    sherd_file_writer_abort(writer->file);
    sherd_free(writer->folder);
    sherd_free(writer->broken);
    sherd_free(writer->newly_broken);
    sherd_free(writer);
}

static sherd_run_writer *writer_new(const char *folder, const sherd_run_model *model, int threads,
                                    sherd_error *error)
{
    sherd_run_writer *writer = sherd_alloc(1, sizeof *writer);
    if (writer == NULL) {
        sherd_fail_memory(error, folder);
        return NULL;
    }
    writer->folder = sherd_string_copy(folder);
    writer->parallel.threads = threads;
    writer->element_count = model->element_count;
    writer->bond_count = model->bond_count;
    writer->obstacle_count = model->obstacle_count;
    writer->broken = sherd_alloc((size_t)model->bond_count, sizeof *writer->broken);
    writer->newly_broken = sherd_alloc((size_t)model->bond_count, sizeof *writer->newly_broken);
    if (writer->folder != NULL && writer->broken != NULL && writer->newly_broken != NULL)
        return writer;
    writer_free(writer);
    sherd_fail_memory(error, folder);
    return NULL;
}

// ---------------------------------------------------------------- create

static uint64_t hash_string(uint64_t hash, const char *text)
{
    size_t size = text != NULL ? strlen(text) : 0;
    hash = sherd_hash_bytes(hash, &size, sizeof size);
    return size > 0 ? sherd_hash_bytes(hash, text, size) : hash;
}

// Identifies the run of a checkpoint: a hash of everything that determines the results, so that a
// repeated run writes the same file.
static uint64_t run_identity(const sherd_run_info *info, const sherd_run_model *model)
{
    uint64_t hash = SHERD_HASH_START;
    const char *texts[] = {info->name, info->scene_text, info->variant, info->version};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
        hash = hash_string(hash, texts[k]);
    for (int k = 0; k < info->setting_count; ++k)
        hash = hash_string(hash, info->settings[k]);
    const int64_t counts[] = {model->element_count, model->bond_count, model->body_count,
                              model->obstacle_count};
    const double times[] = {info->duration, info->frame_interval};
    hash = sherd_hash_bytes(hash, counts, sizeof counts);
    return sherd_hash_bytes(hash, times, sizeof times);
}

static bool bodies_fit(const sherd_run_model *model)
{
    for (int k = 0; k < model->body_count; ++k) {
        sherd_element_index first = model->bodies[k].first, count = model->bodies[k].count;
        if (first < 0 || count < 0 || count > model->element_count - first) return false;
    }
    return true;
}

static sherd_status check_model(const sherd_run_model *model, sherd_error *error)
{
    bool counts = model->element_count >= 0 && model->bond_count >= 0 && model->body_count >= 0 &&
                  model->material_count >= 0 && model->obstacle_count >= 0 &&
                  model->glue_count >= 0 && model->glue_count <= model->bond_count;
    if (counts && bodies_fit(model)) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "run model",
                      "counts are not negative and bodies' elements lie within the model",
                      "%d elements in %d bodies, %lld bonds", (int)model->element_count,
                      model->body_count, (long long)model->bond_count);
}

static sherd_status write_chunk(sherd_run_writer *writer, uint32_t kind, int64_t index,
                                const sherd_byte_buffer *payload, sherd_error *error)
{
    return sherd_chunk_write(writer->file, kind, index, payload, &writer->parallel, error);
}

static sherd_status encode_model(const void *context, sherd_byte_buffer *out, sherd_error *error)
{
    (void)error;
    sherd_run_encode_model(out, context);
    return SHERD_OK;
}

static sherd_status write_start(sherd_run_writer *writer, const sherd_run_info *info,
                                const sherd_run_model *model, sherd_error *error)
{
    sherd_byte_buffer scene = {0}, sections = {0};
    const sherd_chunk_source arrays = {encode_model, model, SHERD_CHUNK_APPENDED};
    sherd_run_encode_info(&scene, info);
    if (model->bond_section != NULL) sherd_run_encode_sections(&sections, model);
    sherd_chunk_write_file_header(writer->file, SHERD_RUN_MAGIC, writer->run_id);
    sherd_status status = write_chunk(writer, SHERD_CHUNK_INFO, -1, &scene, error);
    if (status == SHERD_OK)
        status = sherd_chunk_write_pieces(writer->file, SHERD_CHUNK_MODEL, -1, &arrays,
                                          &writer->parallel, error);
    if (status == SHERD_OK && model->bond_section != NULL)
        status = write_chunk(writer, SHERD_CHUNK_BONDS, -1, &sections, error);
    if (status == SHERD_OK) status = sherd_file_writer_flush(writer->file, error);
    sherd_byte_buffer_free(&scene);
    sherd_byte_buffer_free(&sections);
    return status;
}

// Removes the checkpoints of a replaced run before its run file. If the process stops in between,
// there is a run without checkpoints, but never a checkpoint without its frames.
static void remove_checkpoints(const char *folder)
{
    char path[PATH_MAX];
    if (sherd_path_join(path, sizeof path, folder, SHERD_CHECKPOINT_NAME)) unlink(path);
    if (sherd_path_join(path, sizeof path, folder, SHERD_FORMER_CHECKPOINT_NAME)) unlink(path);
}

static sherd_status fail_long_name(const char *folder, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, folder, "choose a shorter name",
                      "the name of the run folder is too long");
}

static sherd_file_writer *open_run_file(const char *folder, int64_t keep, sherd_error *error)
{
    char path[PATH_MAX];
    if (sherd_path_join(path, sizeof path, folder, SHERD_RUN_NAME))
        return sherd_file_writer_append(path, keep, error);
    fail_long_name(folder, error);
    return NULL;
}

static sherd_file_writer *replace_run_file(const char *folder, sherd_error *error)
{
    char path[PATH_MAX];
    if (!sherd_path_join(path, sizeof path, folder, SHERD_RUN_NAME)) {
        fail_long_name(folder, error);
        return NULL;
    }
    if (sherd_run_find(folder) != SHERD_RUN_FOREIGN) return sherd_file_writer_replace(path, error);
    sherd_fail(error, SHERD_ERROR_INPUT, path, "move it away or choose another folder",
               "this file is not a run of Sherd, or can't be told to be one; it stays as it is");
    return NULL;
}

sherd_run_writer *sherd_run_writer_create(const char *folder, const sherd_run_info *info,
                                          const sherd_run_model *model, int threads,
                                          sherd_error *error)
{
    if (check_model(model, error) != SHERD_OK) return NULL;
    if (sherd_folder_create(folder, error) != SHERD_OK) return NULL;
    sherd_run_writer *writer = writer_new(folder, model, threads, error);
    if (writer == NULL) return NULL;
    writer->run_id = run_identity(info, model);
    writer->first_plan = info->frames_planned;
    writer->file = replace_run_file(folder, error);
    if (writer->file != NULL && write_start(writer, info, model, error) == SHERD_OK &&
        sherd_file_writer_sync(writer->file, error) == SHERD_OK) {
        remove_checkpoints(folder);
        if (sherd_file_writer_publish(writer->file, error) == SHERD_OK) return writer;
    }
    writer_free(writer);
    return NULL;
}

// ---------------------------------------------------------------- resume

static sherd_run_writer *resume_from(sherd_run *run, const char *folder, int64_t last_frame,
                                     int threads, sherd_error *error)
{
    if (sherd_run_format(run) < SHERD_RUN_FIRST_RECORDS) {
        sherd_run_fail_old_format(folder, error);
        return NULL;
    }
    if (last_frame < -1 || last_frame >= sherd_run_frame_count(run)) {
        sherd_fail(error, SHERD_ERROR_INPUT, folder, "resume from a frame that the run has",
                   "can't go on after frame %lld: the run has %lld frames", (long long)last_frame,
                   (long long)sherd_run_frame_count(run));
        return NULL;
    }
    // The last retained frame must be intact, and so must the state of bonds before it.
    if (last_frame >= 0 && sherd_run_frame_end(run, last_frame) < 0) {
        sherd_run_check_frame(run, last_frame, error);
        return NULL;
    }
    sherd_run_model model = sherd_run_get_model(run);
    sherd_run_writer *writer = writer_new(folder, &model, threads, error);
    if (writer == NULL) return NULL;
    writer->run_id = sherd_run_identity(run);
    writer->next_frame = last_frame + 1;
    writer->first_plan = sherd_run_first_plan(run);
    if (sherd_run_broken_after(run, last_frame, writer->broken, error) == SHERD_OK)
        writer->file = open_run_file(folder, sherd_run_frame_end(run, last_frame), error);
    if (writer->file != NULL) return writer;
    writer_free(writer);
    return NULL;
}

sherd_run_writer *sherd_run_writer_resume(const char *folder, int64_t last_frame, int threads,
                                          sherd_error *error)
{
    sherd_run *run = sherd_run_open(folder, error);
    if (run == NULL) return NULL;
    sherd_run_writer *writer = resume_from(run, folder, last_frame, threads, error);
    sherd_run_close(run);
    return writer;
}

// ---------------------------------------------------------------- frames

void sherd_run_writer_plan(sherd_run_writer *writer, int64_t frames)
{
    writer->plan = frames != writer->first_plan ? frames : 0;
}

static sherd_status fail_not_finite(const char *what, double value, sherd_element_index element,
                                    const sherd_run_frame *frame, sherd_error *error)
{
    char where[64];
    snprintf(where, sizeof where, "element %d", (int)element);
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, where,
                      "the simulation has gone wrong: use a smaller time step",
                      "its %s is %g in frame %lld, t = %g s; the frame was not written", what,
                      value, (long long)frame->index, frame->time);
}

static sherd_status check_finite(const sherd_run_writer *writer, const sherd_run_frame *frame,
                                 sherd_error *error)
{
    const struct {
        const char *name;
        const double *items;
    } columns[] = {{"position", frame->x},     {"position", frame->y},
                   {"position", frame->z},     {"orientation", frame->qx},
                   {"orientation", frame->qy}, {"orientation", frame->qz},
                   {"orientation", frame->qw}, {"velocity", frame->vx},
                   {"velocity", frame->vy},    {"velocity", frame->vz}};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; ++c)
        for (sherd_element_index k = 0; k < writer->element_count; ++k)
            if (!isfinite(columns[c].items[k]))
                return fail_not_finite(columns[c].name, columns[c].items[k], k, frame, error);
    return SHERD_OK;
}

static bool is_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t length = name != NULL ? strlen(name) : 0;
    return length > 0 && length <= MAX_COLUMN_NAME && strspn(name, allowed) == length;
}

// True if an earlier column or a fixed one has this name.
static bool is_taken(const sherd_run_frame *frame, int column)
{
    const sherd_run_column *c = &frame->columns[column];
    for (int a = 0; a < sherd_run_frame_arrays.count; ++a)
        if (sherd_run_frame_arrays.list[a].per == c->per &&
            strcmp(sherd_run_frame_arrays.list[a].name, c->name) == 0)
            return true;
    for (int k = 0; k < column; ++k)
        if (frame->columns[k].per == c->per && strcmp(frame->columns[k].name, c->name) == 0)
            return true;
    return false;
}

static sherd_status check_columns(const sherd_run_frame *frame, sherd_error *error)
{
    if (frame->column_count < 0 || frame->column_count > SHERD_RUN_MOST_COLUMNS)
        return sherd_fail(error, SHERD_ERROR_INPUT, "frame.column_count", NULL,
                          "must be 0 to %d, got %d", SHERD_RUN_MOST_COLUMNS, frame->column_count);
    for (int k = 0; k < frame->column_count; ++k) {
        const char *name = frame->columns[k].name;
        if (!is_name(name))
            return sherd_fail(error, SHERD_ERROR_INPUT, "frame.columns",
                              "names have 1 to 63 letters, digits and _",
                              "\"%.80s\" can't be the name of a column", name != NULL ? name : "");
        if (is_taken(frame, k))
            return sherd_fail(error, SHERD_ERROR_INPUT, "frame.columns", "choose another name",
                              "there are two columns %s", name);
    }
    return SHERD_OK;
}

// Lists the bonds broken since the last frame. -1: a broken bond became intact again.
static sherd_bond_index find_newly_broken(sherd_run_writer *writer, const uint8_t *broken)
{
    sherd_bond_index count = 0;
    for (sherd_bond_index k = 0; k < writer->bond_count; ++k) {
        if (writer->broken[k] != 0 && broken[k] == 0) return -1;
        if (writer->broken[k] == 0 && broken[k] != 0) writer->newly_broken[count++] = k;
    }
    return count;
}

typedef struct encoded_frame {
    const sherd_run_frame *frame;
    const sherd_run_writer *writer;
} encoded_frame;

static sherd_status encode_frame(const void *context, sherd_byte_buffer *out, sherd_error *error)
{
    (void)error;
    const encoded_frame *e = context;
    sherd_run_encode_frame(out, e->frame, e->writer->element_count, e->writer->bond_count);
    return SHERD_OK;
}

static sherd_status write_frame(sherd_run_writer *writer, const sherd_run_frame *frame,
                                sherd_bond_index newly_broken_count, sherd_error *error)
{
    SHERD_ASSERT(newly_broken_count >= 0 && newly_broken_count <= writer->bond_count,
                 "newly broken bonds fit their list");
    SHERD_ASSERT(frame->index == writer->next_frame, "frames are written in order");
    sherd_byte_buffer step = {0};
    sherd_run_encode_step(&step, frame, writer->obstacle_count, writer->newly_broken,
                          newly_broken_count, writer->plan);
    sherd_status status = step.failed
                              ? sherd_fail_memory(error, "frame")
                              : write_chunk(writer, SHERD_CHUNK_STEP, frame->index, &step, error);
    const encoded_frame encoded = {frame, writer};
    const sherd_chunk_source source = {encode_frame, &encoded, SHERD_CHUNK_APPENDED};
    if (status == SHERD_OK)
        status = sherd_chunk_write_pieces(writer->file, SHERD_CHUNK_FRAME, frame->index, &source,
                                          &writer->parallel, error);
    if (status == SHERD_OK) status = sherd_file_writer_flush(writer->file, error);
    sherd_byte_buffer_free(&step);
    return status;
}

sherd_status sherd_run_writer_frame(sherd_run_writer *writer, const sherd_run_frame *frame,
                                    sherd_error *error)
{
    if (frame->index != writer->next_frame)
        return sherd_fail(error, SHERD_ERROR_INPUT, "frame.index", "frames are written in order",
                          "must be %lld, got %lld", (long long)writer->next_frame,
                          (long long)frame->index);
    if (writer->failed)
        return sherd_fail(error, SHERD_ERROR_IO, writer->folder, "continue with --resume",
                          "an earlier frame could not be written");
    sherd_status status = check_columns(frame, error);
    if (status == SHERD_OK) status = check_finite(writer, frame, error);
    if (status != SHERD_OK) return status;
    sherd_bond_index count = find_newly_broken(writer, frame->bond_broken);
    if (count < 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "frame.bond_broken", "broken bonds stay broken",
                          "a bond that was broken is intact again in frame %lld",
                          (long long)frame->index);
    status = write_frame(writer, frame, count, error);
    writer->failed = status != SHERD_OK;
    if (writer->failed) return status;
    for (sherd_bond_index k = 0; k < count; ++k)
        writer->broken[writer->newly_broken[k]] = 1;
    ++writer->next_frame;
    return SHERD_OK;
}

// ---------------------------------------------------------------- checkpoints

typedef struct encoded_checkpoint {
    const sherd_run_checkpoint *checkpoint;
    const sherd_world *world;
} encoded_checkpoint;

static sherd_status encode_checkpoint(const void *context, sherd_byte_buffer *out,
                                      sherd_error *error)
{
    const encoded_checkpoint *c = context;
    return sherd_run_encode_checkpoint(out, c->checkpoint, c->world, error);
}

// The new checkpoint is complete under a temporary name before the old one is renamed: at any time
// at least one complete checkpoint exists.
static sherd_status write_checkpoint(const sherd_run_writer *writer,
                                     const encoded_checkpoint *encoded, sherd_error *error)
{
    const char *folder = writer->folder;
    char path[PATH_MAX], previous[PATH_MAX];
    if (!sherd_path_join(path, sizeof path, folder, SHERD_CHECKPOINT_NAME) ||
        !sherd_path_join(previous, sizeof previous, folder, SHERD_FORMER_CHECKPOINT_NAME))
        return sherd_fail(error, SHERD_ERROR_INPUT, folder, "choose a shorter name",
                          "the name of the run folder is too long");
    sherd_file_writer *file = sherd_file_writer_create(path, error);
    if (file == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    sherd_chunk_write_file_header(file, SHERD_CHECKPOINT_MAGIC, writer->run_id);
    const sherd_chunk_source source = {encode_checkpoint, encoded, SHERD_CHUNK_IN_PLACE};
    sherd_status status = sherd_chunk_write_pieces(
        file, SHERD_CHUNK_STATE, encoded->checkpoint->frame, &source, &writer->parallel, error);
    if (status == SHERD_OK) status = sherd_file_writer_sync(file, error);
    if (status != SHERD_OK) {
        sherd_file_writer_abort(file);
        return status;
    }
    // Fails without an old checkpoint, as intended.
    rename(path, previous);
    return sherd_file_writer_commit(file, error);
}

sherd_status sherd_run_writer_checkpoint_of(sherd_run_writer *writer,
                                            const sherd_run_checkpoint *checkpoint,
                                            const sherd_world *world, sherd_error *error)
{
    SHERD_ASSERT(writer->file != NULL, "checkpoints belong to a run file that is open");
    if (checkpoint->element_count != writer->element_count ||
        checkpoint->frame != writer->next_frame - 1)
        return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint",
                          "a checkpoint belongs to the last frame and has all elements",
                          "frame %lld with %d elements instead of frame %lld with %d",
                          (long long)checkpoint->frame, (int)checkpoint->element_count,
                          (long long)(writer->next_frame - 1), (int)writer->element_count);
    // The frames that the checkpoint continues must be durable before it.
    sherd_status status = sherd_file_writer_sync(writer->file, error);
    if (status != SHERD_OK) return status;
    return write_checkpoint(writer, &(encoded_checkpoint){checkpoint, world}, error);
}

sherd_status sherd_run_writer_checkpoint(sherd_run_writer *writer,
                                         const sherd_run_checkpoint *checkpoint, sherd_error *error)
{
    return sherd_run_writer_checkpoint_of(writer, checkpoint, NULL, error);
}

sherd_status sherd_run_writer_close(sherd_run_writer *writer, sherd_error *error)
{
    if (writer == NULL) return SHERD_OK;
    sherd_status status = sherd_file_writer_commit(writer->file, error);
    writer->file = NULL;
    writer_free(writer);
    return status;
}
