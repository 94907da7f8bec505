// Checkpoints: the input is a list of changes to the state of a small world, which is restored and
// stepped. So it stays a state whatever its layout becomes, and no checksum is in the way. Each change
// is 8 bytes: where (3 bytes), what (1 byte), and 4 bytes of value.
#include "fuzz.h"

#include <sherd/world.h>

#include <stdlib.h>
#include <string.h>

static sherd_scene *scene;
static sherd_scene_build packed;
static void *state;
static size_t state_size;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    sherd_error error;
    scene = fuzz_scene();
    packed = fuzz_pack(scene);
    sherd_world *world = fuzz_world(scene, &packed);
    if (sherd_world_save(world, &state, &state_size, &error) != SHERD_OK) abort();
    sherd_world_destroy(world);
    return 0;
}

static void put(uint8_t *bytes, size_t at, const void *value, size_t size)
{
    if (at + size <= state_size) memcpy(bytes + at, value, size);
}

// Returns the size that is left.
static size_t apply(uint8_t *bytes, size_t size, const uint8_t *change)
{
    static const int64_t COUNTS[] = {0, 1, -1, 2, 100, INT32_MAX, INT64_MAX, INT64_MIN, 1LL << 40};
    static const double NUMBERS[] = {0.0,       -1.0,      1e300, -1e300, 1e-300,
                                     0.0 / 0.0, 1.0 / 0.0, 1e9,   1e-9};
    size_t at = (size_t)(change[0] | change[1] << 8 | change[2] << 16) % state_size;
    int32_t value;
    memcpy(&value, change + 4, sizeof value);
    switch (change[3] % 6) {
    case 0:
        bytes[at] ^= change[4];
        break;
    case 1:
        put(bytes, at / 8 * 8, &COUNTS[change[4] % 9], sizeof(int64_t));
        break;
    case 2:
        put(bytes, at / 8 * 8, &NUMBERS[change[4] % 9], sizeof(double));
        break;
    case 3:
        put(bytes, at / 4 * 4, &value, sizeof value);
        break;
    case 4: { // a number that is not far off
        double number;
        if (at / 8 * 8 + 8 > state_size) break;
        memcpy(&number, bytes + at / 8 * 8, sizeof number);
        number *= 1.0 + value / 1e9;
        put(bytes, at / 8 * 8, &number, sizeof number);
        break;
    }
    default:
        return change[4] % 16 == 0 ? at : size;
    }
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(state_size);
    if (bytes == NULL) return 0;
    memcpy(bytes, state, state_size);
    size_t left = state_size;
    for (size_t k = 0; k + 8 <= size && k < 256; k += 8)
        left = apply(bytes, left, data + k);
    // A world serves until one goes wrong: making one takes longer than what is done with it.
    static sherd_world *world;
    sherd_error error = {0};
    if (world == NULL) world = fuzz_world(scene, &packed);
    sherd_status status = sherd_world_restore(world, bytes, left, &error);
    if (status == SHERD_OK) status = fuzz_step(world, 3e-4, 5, &error);
    if (status == SHERD_OK) status = sherd_world_check(world, &error);
    free(bytes);
    if (status == SHERD_OK) return 0;
    sherd_world_destroy(world);
    world = NULL;
    return 0;
}
