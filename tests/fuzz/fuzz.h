// What the fuzz targets share: files in memory, a world to try checkpoints on, mutators.
#pragma once

#include <sherd/scene.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); // libFuzzer's own

// A file of these bytes that lives in memory, one at a time; its name is returned.
const char *fuzz_file(const uint8_t *data, size_t size);

// Some steps, as long as nothing in the world is faster than sound: steps of what is get split into up to a
// million parts, as they should, which takes long.
sherd_status fuzz_step(sherd_world *world, double until, int steps, sherd_error *error);

// The next of a sequence of random numbers.
uint32_t fuzz_random(uint32_t *seed);

// Another file of chunks: a custom mutator. A checksum behind `size` bytes.
enum { FUZZ_FILE_HEADER = 32 };
size_t fuzz_change_chunks(uint8_t *data, size_t size, size_t max_size, unsigned seed);
void fuzz_put_crc(uint8_t *bytes, size_t size);

// A scene of two small bodies, a floor and a free ball, and what its bodies are packed with. Ends the
// process when that fails, as the next does.
sherd_scene *fuzz_scene(void);
sherd_scene_build fuzz_pack(const sherd_scene *scene);
// A world of it, stepped a few times. Packing takes ten times as long as all else, so that it is not done
// again for each world.
sherd_world *fuzz_world(const sherd_scene *scene, const sherd_scene_build *packed);
