// Checkpoint files: the input lies as checkpoint.sherd beside a run, is read, restored and stepped. Its run's
// number, which is another in every process, is put into it.
#include "fuzz.h"
#include "output/run_file/run_writer.h"

#include <sherd/run_file.h>
#include <sherd/world.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUN_ID = 16, RUN_ID_SIZE = 8, CRC = FUZZ_FILE_HEADER - 4 };

static char folder[] = "/tmp/sherd-fuzz-XXXXXX", run_path[64], checkpoint_path[64];
static sherd_scene *scene;
static sherd_scene_build packed;
static uint8_t *valid; // the checkpoint that every input comes from
static size_t valid_size;

static void leave(void)
{
    unlink(run_path);
    unlink(checkpoint_path);
    rmdir(folder);
}

static void expect(bool good, const sherd_error *error)
{
    if (good) return;
    fprintf(stderr, "fuzz: %s: %s\n", error->where, error->what);
    abort();
}

static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) abort();
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size);
    if (bytes == NULL || fread(bytes, 1, *size, file) != *size) abort();
    fclose(file);
    return bytes;
}

// A run of the first body alone, which is enough for a checkpoint to belong to.
static void write_run(const sherd_run_checkpoint *checkpoint)
{
    const sherd_packing *p = packed.packings[0];
    uint16_t *materials = calloc((size_t)p->count, sizeof *materials);
    sherd_body_info body = {.name = "slab", .count = p->count};
    const char *const names[] = {"clay"};
    sherd_run_model model = {.element_count = p->count,
                             .rest_x = p->x,
                             .rest_y = p->y,
                             .rest_z = p->z,
                             .radius = p->radius,
                             .mass = p->radius,
                             .material = materials,
                             .body_count = 1,
                             .bodies = &body,
                             .material_count = 1,
                             .material_names = names};
    sherd_run_info info = {
        .name = "fuzz", .duration = 1.0, .frame_interval = 1.0, .frames_planned = 2};
    sherd_error error = {0};
    sherd_run_writer *writer = sherd_run_writer_create(folder, &info, &model, 1, &error);
    expect(writer != NULL, &error);
    expect(sherd_run_writer_checkpoint(writer, checkpoint, &error) == SHERD_OK, &error);
    expect(sherd_run_writer_close(writer, &error) == SHERD_OK, &error);
    free(materials);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (mkdtemp(folder) == NULL) abort();
    snprintf(run_path, sizeof run_path, "%s/run.sherd", folder);
    snprintf(checkpoint_path, sizeof checkpoint_path, "%s/checkpoint.sherd", folder);
    atexit(leave);
    scene = fuzz_scene();
    packed = fuzz_pack(scene);
    sherd_world *world = fuzz_world(scene, &packed);
    sherd_error error = {0};
    void *state;
    size_t size;
    expect(sherd_world_save(world, &state, &size, &error) == SHERD_OK, &error);
    sherd_world_destroy(world);
    sherd_fragment_id *fragments = calloc((size_t)packed.packings[0]->count, sizeof *fragments);
    sherd_run_checkpoint checkpoint = {.frame = -1,
                                       .state = state,
                                       .state_size = size,
                                       .element_fragment = fragments,
                                       .element_count = packed.packings[0]->count,
                                       .next_fragment = 1};
    write_run(&checkpoint);
    free(fragments);
    sherd_world_free_state(state);
    valid = read_whole(checkpoint_path, &valid_size);
    return 0;
}

static void put_checkpoint(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    if (bytes == NULL) return;
    memcpy(bytes, data, size);
    if (size >= FUZZ_FILE_HEADER) {
        memcpy(bytes + RUN_ID, valid + RUN_ID, RUN_ID_SIZE);
        fuzz_put_crc(bytes, CRC);
    }
    FILE *file = fopen(checkpoint_path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size) abort();
    fclose(file);
    free(bytes);
}

static void go_on(const sherd_run_checkpoint *checkpoint)
{
    static sherd_world *world;
    sherd_error error = {0};
    if (world == NULL) world = fuzz_world(scene, &packed);
    sherd_fragments *fragments = sherd_fragments_create(&error);
    if (fragments != NULL)
        sherd_fragments_restore(fragments, checkpoint->element_fragment, checkpoint->element_count,
                                checkpoint->next_fragment, &error);
    sherd_fragments_destroy(fragments);
    sherd_status status =
        sherd_world_restore(world, checkpoint->state, checkpoint->state_size, &error);
    if (status == SHERD_OK) status = fuzz_step(world, 3e-4, 5, &error);
    if (status == SHERD_OK) return;
    sherd_world_destroy(world);
    world = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // No input at all stands for the checkpoint as it was written.
    put_checkpoint(size > 0 ? data : valid, size > 0 ? size : valid_size);
    sherd_error error;
    sherd_run *run = sherd_run_open(folder, &error);
    if (run == NULL) abort();
    sherd_run_checkpoint *checkpoint = sherd_run_read_checkpoint(run, &error);
    if (checkpoint != NULL) go_on(checkpoint);
    sherd_run_checkpoint_destroy(checkpoint);
    sherd_run_close(run);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (size < FUZZ_FILE_HEADER && valid_size <= max_size) {
        memcpy(data, valid, valid_size);
        return valid_size;
    }
    return fuzz_change_chunks(data, size, max_size, seed);
}
