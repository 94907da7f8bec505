// Opens a run file, and reads its model, frames and checkpoints.
#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "output/run_file/run_check.h"
#include "output/run_file/run_format.h"
#include "output/run_file/run_frames.h"
#include "output/run_file/run_paths.h"

#include <sherd/file.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Order of chunks: INFO, MODL, optionally BOND, then STEP and FRAM in turn.
enum { MODEL_CHUNK = 1, SECTIONS_CHUNK = 2, OLDEST_WITH_BROKEN = 4 };

struct sherd_run {
    char *folder;
    sherd_chunk_file file;
    const sherd_run_decoders *decoders; // of the file's version
    sherd_owned owned;                  // memory of info and model
    sherd_run_info info;
    sherd_run_model model;
    int64_t first_plan; // frames_planned in INFO
    bool sections_damaged;
    size_t first_chunk; // of the frames
    int64_t frame_count;
    sherd_run_chunks *frames; // (frame_count)
    // For old formats, whose frames depend on all earlier ones:
    int64_t checked;      // frames before this one have undamaged STEP chunks
    uint8_t *broken;      // bonds broken in frame broken_frame     (bond_count)
    int64_t broken_frame; // -1: all intact
};

// A frame and the memory of its arrays.
typedef struct owned_frame {
    sherd_run_frame frame; // the first member, so that the pointer can be converted back
    sherd_owned owned;
} owned_frame;

typedef struct owned_checkpoint {
    sherd_run_checkpoint checkpoint; // the first member, so that the pointer can be converted back
    sherd_owned owned;
} owned_checkpoint;

// ---------------------------------------------------------------- finding

sherd_run_presence sherd_run_find(const char *folder)
{
    char path[PATH_MAX];
    struct stat status;
    if (!sherd_path_join(path, sizeof path, folder, SHERD_RUN_NAME)) return SHERD_RUN_ABSENT;
    if (lstat(path, &status) != 0)
        return errno == ENOENT || errno == ENOTDIR ? SHERD_RUN_ABSENT : SHERD_RUN_FOREIGN;
    if (!S_ISREG(status.st_mode)) return SHERD_RUN_FOREIGN;
    if (status.st_size == 0) return SHERD_RUN_ABSENT;
    return sherd_chunk_file_is(path, SHERD_RUN_MAGIC) ? SHERD_RUN_PRESENT : SHERD_RUN_FOREIGN;
}

// ---------------------------------------------------------------- opening

static char *folder_of(const char *path)
{
    if (sherd_folder_exists(path)) return sherd_string_copy(path);
    char *copy = sherd_string_copy(path);
    if (copy == NULL) return NULL;
    char *slash = strrchr(copy, '/');
    if (slash == NULL) {
        sherd_free(copy);
        return sherd_string_copy(".");
    }
    slash[slash == copy ? 1 : 0] = '\0';
    return copy;
}

static sherd_status read_start(sherd_run *run, sherd_error *error)
{
    const sherd_chunk_file *file = &run->file;
    if (file->count <= MODEL_CHUNK || file->chunks[0].kind != SHERD_CHUNK_INFO ||
        file->chunks[MODEL_CHUNK].kind != SHERD_CHUNK_MODEL)
        return sherd_fail(error, SHERD_ERROR_INPUT, file->path, "run the scene again",
                          "the file ends or is damaged before its first frame");
    unsigned char *bytes;
    sherd_status status = sherd_chunk_read(file, &file->chunks[0], &bytes, error);
    if (status != SHERD_OK) return status;
    run->decoders = sherd_run_decoders_of(file->version);
    status = run->decoders->info(bytes, file->chunks[0].raw_size, file->path, &run->owned,
                                 &run->info, error);
    sherd_free(bytes);
    if (status != SHERD_OK) return status;
    const sherd_chunk *model = &file->chunks[MODEL_CHUNK];
    status = sherd_chunk_read(file, model, &bytes, error);
    if (status != SHERD_OK) return status;
    status =
        run->decoders->model(bytes, model->raw_size, file->path, &run->owned, &run->model, error);
    sherd_free(bytes);
    return status;
}

// Damaged sections are treated as missing, because frames do not need them.
static sherd_status read_sections(sherd_run *run, sherd_error *error)
{
    const sherd_chunk_file *file = &run->file;
    run->first_chunk = MODEL_CHUNK + 1;
    if (file->count <= SECTIONS_CHUNK || file->chunks[SECTIONS_CHUNK].kind != SHERD_CHUNK_BONDS)
        return SHERD_OK;
    run->first_chunk = SECTIONS_CHUNK + 1;
    const sherd_chunk *chunk = &file->chunks[SECTIONS_CHUNK];
    unsigned char *bytes;
    sherd_status status = sherd_chunk_read(file, chunk, &bytes, error);
    if (status == SHERD_OK)
        status = run->decoders->sections(bytes, chunk->raw_size, file->path, &run->owned,
                                         &run->model, error);
    sherd_free(bytes);
    if (status != SHERD_OK) run->model.bond_section = NULL;
    run->sections_damaged = status != SHERD_OK;
    return status == SHERD_ERROR_INPUT ? SHERD_OK : status;
}

// A resumed run may have another number of planned frames than INFO, which its later frames store.
// Damaged frames are ignored; files of versions without this number may have more frames than
// planned.
static void read_plan(sherd_run *run)
{
    sherd_owned owned = {0};
    sherd_run_step step = {0};
    sherd_error ignored;
    run->first_plan = run->info.frames_planned;
    int64_t count = run->frame_count, planned = run->first_plan;
    if (count > 0 && sherd_run_read_step(run, count - 1, &owned, &step, &ignored) == SHERD_OK &&
        step.frames_planned > 0)
        planned = step.frames_planned;
    run->info.frames_planned = planned > count ? planned : count;
    sherd_owned_free(&owned);
}

static sherd_status open_file(sherd_run *run, const char *path, sherd_error *error)
{
    char name[PATH_MAX];
    const char *folder = sherd_folder_exists(path) ? path : "";
    if (!sherd_path_join(name, sizeof name, folder, *folder == '\0' ? path : SHERD_RUN_NAME))
        return sherd_fail(error, SHERD_ERROR_INPUT, path, "choose a shorter name",
                          "the name of the run is too long");
    sherd_status status = sherd_chunk_file_open(&run->file, name, SHERD_RUN_MAGIC, error);
    if (status == SHERD_OK) status = read_start(run, error);
    if (status == SHERD_OK) status = read_sections(run, error);
    if (status != SHERD_OK) return status;
    status =
        sherd_run_find_frames(&run->file, run->first_chunk, &run->frames, &run->frame_count, error);
    if (status != SHERD_OK) return status;
    run->broken_frame = -1;
    run->broken = sherd_alloc((size_t)run->model.bond_count, 1);
    run->folder = folder_of(path);
    if (run->broken == NULL || run->folder == NULL) return sherd_fail_memory(error, path);
    read_plan(run);
    return SHERD_OK;
}

sherd_run *sherd_run_open(const char *path, sherd_error *error)
{
    sherd_run *run = sherd_alloc(1, sizeof *run);
    if (run == NULL) {
        sherd_fail_memory(error, path);
        return NULL;
    }
    run->file.descriptor = -1;
    if (open_file(run, path, error) == SHERD_OK) return run;
    sherd_run_close(run);
    return NULL;
}

sherd_status sherd_run_extend(sherd_run *run, sherd_error *error)
{
    sherd_run_chunks *frames = NULL;
    int64_t count = 0;
    sherd_status status = sherd_chunk_file_extend(&run->file, error);
    if (status == SHERD_OK)
        status = sherd_run_find_frames(&run->file, run->first_chunk, &frames, &count, error);
    if (status != SHERD_OK) {
        sherd_free(frames);
        return status;
    }
    SHERD_ASSERT(count >= run->frame_count, "a run that is written gains frames");
    sherd_free(run->frames);
    run->frames = frames, run->frame_count = count;
    return SHERD_OK;
}

void sherd_run_close(sherd_run *run)
{
    if (run == NULL) return;
    sherd_chunk_file_close(&run->file);
    sherd_owned_free(&run->owned);
    sherd_free(run->frames);
    sherd_free(run->broken);
    sherd_free(run->folder);
    sherd_free(run);
}

// ---------------------------------------------------------------- what it holds

sherd_run_info sherd_run_get_info(const sherd_run *run)
{
    return run->info;
}

sherd_run_model sherd_run_get_model(const sherd_run *run)
{
    return run->model;
}

int64_t sherd_run_frame_count(const sherd_run *run)
{
    return run->frame_count;
}

int64_t sherd_run_first_plan(const sherd_run *run)
{
    return run->first_plan;
}

uint64_t sherd_run_identity(const sherd_run *run)
{
    return run->file.run_id;
}

uint32_t sherd_run_format(const sherd_run *run)
{
    return run->file.version;
}

int64_t sherd_run_frame_end(const sherd_run *run, int64_t frame)
{
    int64_t chunk = frame < 0 ? (int64_t)run->first_chunk - 1 : run->frames[frame].arrays;
    if (chunk < 0) return -1;
    const sherd_chunk *last = &run->file.chunks[chunk];
    return (int64_t)(last->offset + last->stored_size);
}

int64_t sherd_run_ignored_bytes(const sherd_run *run)
{
    return (int64_t)run->file.size - sherd_run_frame_end(run, run->frame_count - 1);
}

// ---------------------------------------------------------------- frames

static sherd_status check_frame(const sherd_run *run, int64_t index, sherd_error *error)
{
    if (index >= 0 && index < run->frame_count) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, run->file.path, NULL,
                      "no frame %lld: the run has %lld frames, counted from 0", (long long)index,
                      (long long)run->frame_count);
}

sherd_status sherd_run_read_step(const sherd_run *run, int64_t index, sherd_owned *owned,
                                 sherd_run_step *step, sherd_error *error)
{
    *step = (sherd_run_step){0}; // old formats have fewer members
    if (run->frames[index].step < 0) return sherd_run_fail_missing(&run->file, index, error);
    const sherd_chunk *chunk = &run->file.chunks[run->frames[index].step];
    unsigned char *bytes;
    sherd_status status = sherd_chunk_read(&run->file, chunk, &bytes, error);
    if (status != SHERD_OK) return status;
    status = run->decoders->step(bytes, chunk->raw_size, run->file.path, &run->model, owned, step,
                                 error);
    sherd_free(bytes);
    return status;
}

// True if frames contain the state of bonds. Also applies to frames of format 4 that were appended
// to an older file; for its earlier frames the lists are complete.
bool sherd_run_sections_damaged(const sherd_run *run)
{
    return run->sections_damaged;
}

bool sherd_run_frames_stand_alone(const sherd_run *run)
{
    return run->file.version >= OLDEST_WITH_BROKEN;
}

// Updates run->broken to a frame, forwards from its present frame or from the start.
static sherd_status seek_broken(sherd_run *run, int64_t index, sherd_error *error)
{
    if (index < run->broken_frame) {
        memset(run->broken, 0, (size_t)run->model.bond_count);
        run->broken_frame = -1;
    }
    while (run->broken_frame < index) {
        sherd_owned owned = {0};
        sherd_run_step step;
        sherd_status status = sherd_run_read_step(run, run->broken_frame + 1, &owned, &step, error);
        for (sherd_bond_index k = 0; status == SHERD_OK && k < step.newly_broken_count; ++k)
            run->broken[step.newly_broken[k]] = 1;
        sherd_owned_free(&owned);
        if (status != SHERD_OK) return status;
        ++run->broken_frame;
    }
    return SHERD_OK;
}

static sherd_status check_chunk(const sherd_run *run, int64_t chunk, int64_t frame,
                                sherd_error *error)
{
    if (chunk < 0) return sherd_run_fail_missing(&run->file, frame, error);
    return sherd_chunk_check(&run->file, &run->file.chunks[chunk], error);
}

// For old formats, where a frame depends on the lists of all earlier frames.
static sherd_status check_steps_before(sherd_run *run, int64_t index, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (; status == SHERD_OK && run->checked < index; ++run->checked) {
        status = check_chunk(run, run->frames[run->checked].step, run->checked, error);
        if (status != SHERD_OK) break;
    }
    if (status != SHERD_ERROR_INPUT) return status;
    return sherd_fail(error, SHERD_ERROR_INPUT, run->file.path,
                      "the frames before it can still be read; the disk may be failing",
                      "frame %lld can't be read without the bonds that broke in frame %lld, "
                      "which is damaged",
                      (long long)index, (long long)run->checked);
}

sherd_status sherd_run_check_frame(sherd_run *run, int64_t index, sherd_error *error)
{
    sherd_status status = check_frame(run, index, error);
    if (status == SHERD_OK && !sherd_run_frames_stand_alone(run))
        status = check_steps_before(run, index, error);
    if (status == SHERD_OK) status = check_chunk(run, run->frames[index].step, index, error);
    return status == SHERD_OK ? check_chunk(run, run->frames[index].arrays, index, error) : status;
}

sherd_status sherd_run_read_stats(sherd_run *run, int64_t index, sherd_run_stats *stats,
                                  sherd_error *error)
{
    sherd_status status = check_frame(run, index, error);
    if (status != SHERD_OK) return status;
    sherd_owned owned = {0};
    sherd_run_step step;
    status = sherd_run_read_step(run, index, &owned, &step, error);
    if (status == SHERD_OK) *stats = step.stats;
    sherd_owned_free(&owned);
    return status;
}

static sherd_status read_arrays(sherd_run *run, int64_t index, owned_frame *owner,
                                sherd_error *error)
{
    if (run->frames[index].arrays < 0) return sherd_run_fail_missing(&run->file, index, error);
    const sherd_chunk *chunk = &run->file.chunks[run->frames[index].arrays];
    unsigned char *bytes;
    sherd_status status = sherd_chunk_read(&run->file, chunk, &bytes, error);
    if (status != SHERD_OK) return status;
    status = run->decoders->frame(bytes, chunk->raw_size, run->file.path, &run->model,
                                  &owner->owned, &owner->frame, error);
    sherd_free(bytes);
    return status;
}

static sherd_status broken_by_lists(sherd_run *run, int64_t frame, uint8_t *broken,
                                    sherd_error *error)
{
    sherd_status status = seek_broken(run, frame, error);
    if (status == SHERD_OK) memcpy(broken, run->broken, (size_t)run->model.bond_count);
    return status;
}

sherd_status sherd_run_broken_after(sherd_run *run, int64_t frame, uint8_t *broken,
                                    sherd_error *error)
{
    sherd_status status = broken_by_lists(run, frame, broken, error);
    if (status != SHERD_ERROR_INPUT || frame < 0 || !sherd_run_frames_stand_alone(run))
        return status;
    owned_frame owner = {0};
    status = read_arrays(run, frame, &owner, error);
    if (status == SHERD_OK && owner.frame.bond_broken != NULL)
        memcpy(broken, owner.frame.bond_broken, (size_t)run->model.bond_count);
    sherd_owned_free(&owner.owned);
    return status;
}

static sherd_status read_frame(sherd_run *run, int64_t index, owned_frame *owner,
                               sherd_error *error)
{
    sherd_run_step step;
    sherd_status status = sherd_run_read_step(run, index, &owner->owned, &step, error);
    if (status == SHERD_OK) status = read_arrays(run, index, owner, error);
    if (status != SHERD_OK) return status;
    if (!sherd_run_frames_stand_alone(run) || owner->frame.bond_broken == NULL) {
        uint8_t *broken = sherd_owned_alloc(&owner->owned, (size_t)run->model.bond_count, 1);
        if (broken == NULL) return sherd_fail_memory(error, run->file.path);
        if (!sherd_run_frames_stand_alone(run)) status = broken_by_lists(run, index, broken, error);
        owner->frame.bond_broken = broken;
    }
    owner->frame.index = index;
    owner->frame.time = step.time;
    owner->frame.obstacles = step.obstacles;
    owner->frame.break_count = step.break_count;
    owner->frame.breaks = step.breaks;
    owner->frame.stats = step.stats;
    return status;
}

sherd_run_frame *sherd_run_read_frame(sherd_run *run, int64_t index, sherd_error *error)
{
    if (check_frame(run, index, error) != SHERD_OK) return NULL;
    owned_frame *owner = sherd_alloc(1, sizeof *owner);
    if (owner == NULL) {
        sherd_fail_memory(error, run->file.path);
        return NULL;
    }
    if (read_frame(run, index, owner, error) == SHERD_OK) return &owner->frame;
    sherd_run_frame_destroy(&owner->frame);
    return NULL;
}

void sherd_run_frame_destroy(sherd_run_frame *frame)
{
    if (frame == NULL) return;
    owned_frame *owner = (owned_frame *)frame;
    sherd_owned_free(&owner->owned);
    sherd_free(owner);
}

// ---------------------------------------------------------------- checkpoints

sherd_status sherd_run_fail_old_format(const char *where, sherd_error *error)
{
    return sherd_fail(
        error, SHERD_ERROR_UNSUPPORTED, where,
        "sherd info, export and render show what there is of the run; to have the rest, "
        "resume it with the version that wrote it, or start it anew without --resume",
        "written by an older version of Sherd: this one can't resume the run");
}

static sherd_status load_checkpoint(const sherd_run *run, const char *path, owned_checkpoint *owner,
                                    sherd_error *error)
{
    sherd_chunk_file file;
    sherd_status status = sherd_chunk_file_open(&file, path, SHERD_CHECKPOINT_MAGIC, error);
    if (status != SHERD_OK) return status;
    unsigned char *bytes = NULL;
    if (file.version < SHERD_RUN_FIRST_RECORDS)
        status = sherd_run_fail_old_format(path, error);
    else if (file.count != 1 || file.chunks[0].kind != SHERD_CHUNK_STATE)
        status = sherd_fail(error, SHERD_ERROR_INPUT, path, NULL, "the checkpoint is damaged");
    else if (file.run_id != run->file.run_id)
        status = sherd_fail(error, SHERD_ERROR_INPUT, path, NULL,
                            "the checkpoint belongs to another run");
    if (status == SHERD_OK) status = sherd_chunk_read(&file, &file.chunks[0], &bytes, error);
    if (status == SHERD_OK)
        status = sherd_run_decode_checkpoint(bytes, file.chunks[0].raw_size, path, &owner->owned,
                                             &owner->checkpoint, error);
    sherd_free(bytes);
    sherd_chunk_file_close(&file);
    return status;
}

static bool fits_run(const sherd_run *run, const sherd_run_checkpoint *checkpoint)
{
    return checkpoint->frame < run->frame_count &&
           checkpoint->element_count == run->model.element_count;
}

sherd_run_checkpoint *sherd_run_read_checkpoint(const sherd_run *run, sherd_error *error)
{
    static const char *const names[] = {SHERD_CHECKPOINT_NAME, SHERD_FORMER_CHECKPOINT_NAME};
    sherd_error other_version = {.status = SHERD_OK}, problem;
    for (int k = 0; k < 2; ++k) {
        char path[PATH_MAX];
        owned_checkpoint *owner = sherd_alloc(1, sizeof *owner);
        if (owner == NULL) {
            sherd_fail_memory(error, run->folder);
            return NULL;
        }
        bool named = sherd_path_join(path, sizeof path, run->folder, names[k]);
        sherd_status status =
            named ? load_checkpoint(run, path, owner, &problem) : SHERD_ERROR_INPUT;
        if (status == SHERD_OK && fits_run(run, &owner->checkpoint)) return &owner->checkpoint;
        sherd_run_checkpoint_destroy(&owner->checkpoint);
        if (status == SHERD_ERROR_UNSUPPORTED) other_version = problem;
    }
    if (other_version.status != SHERD_OK) {
        if (error != NULL) *error = other_version;
        return NULL;
    }
    sherd_fail(error, SHERD_ERROR_INPUT, run->folder, "start the run again without --resume",
               "no checkpoint that belongs to this run");
    return NULL;
}

void sherd_run_checkpoint_destroy(sherd_run_checkpoint *checkpoint)
{
    if (checkpoint == NULL) return;
    owned_checkpoint *owner = (owned_checkpoint *)checkpoint;
    sherd_owned_free(&owner->owned);
    sherd_free(owner);
}
