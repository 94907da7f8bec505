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

// The next of a sequence of random numbers.
uint32_t fuzz_random(uint32_t *seed);

// A scene of two small bodies, a floor and a free ball; and a world of it, stepped a few times. Ends
// the process when that fails.
sherd_scene *fuzz_scene(void);
sherd_world *fuzz_world(const sherd_scene *scene, sherd_scene_build *build);
