// Stored calibration results, one file each, in a folder of the user. If reading or writing fails,
// the result is computed again.
#pragma once

#include <sherd/calibrate.h>

#include <stdint.h>

// The inputs of a result, except sizes and units, as text and as its fingerprint.
enum { SHERD_CALIBRATION_KEY_SIZE = 1024 };
typedef struct sherd_calibration_key {
    char text[SHERD_CALIBRATION_KEY_SIZE];
    uint64_t hash;
} sherd_calibration_key;

sherd_calibration_key sherd_calibration_key_of(const sherd_calibration_def *def);

// Results are in units of E and of a strength; curves and times are not stored. `folder` as in
// sherd_calibration_def.
bool sherd_calibration_cache_read(const char *folder, const sherd_calibration_key *key,
                                  sherd_calibration *out);
void sherd_calibration_cache_write(const char *folder, const sherd_calibration_key *key,
                                   const sherd_calibration *result);

// Whether two definitions have the same key, and therefore equal results.
bool sherd_calibration_same(const sherd_calibration_def *a, const sherd_calibration_def *b);
