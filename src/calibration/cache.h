// Results stored in files, one each, in a folder of the user's. Whatever goes wrong there only means
// that a result is computed again.
#pragma once

#include <sherd/calibrate.h>

#include <stdint.h>

// The inputs of a result, as text and as its fingerprint: everything but sizes and units.
enum { SHERD_CALIBRATION_KEY_SIZE = 1024 };
typedef struct sherd_calibration_key {
    char text[SHERD_CALIBRATION_KEY_SIZE];
    uint64_t hash;
} sherd_calibration_key;

sherd_calibration_key sherd_calibration_key_of(const sherd_calibration_def *def);

// Results in units of E and of a strength; curves and times are not kept. `folder` as in
// sherd_calibration_def.
bool sherd_calibration_cache_read(const char *folder, const sherd_calibration_key *key,
                                  sherd_calibration *out);
void sherd_calibration_cache_write(const char *folder, const sherd_calibration_key *key,
                                   const sherd_calibration *result);

// Whether two definitions ask for the same: their results would be alike.
bool sherd_calibration_same(const sherd_calibration_def *a, const sherd_calibration_def *b);
