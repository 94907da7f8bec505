// Keyframe reduction: which keys of a path are needed for linear interpolation.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Sets `needed` for the first and last of `count` positions (count x 3) at ascending times, and for
// as many between as keep every other position within `tolerance` of the interpolated path. A
// tolerance of 0 keeps all keys. Returns the number of needed keys.
size_t sherd_thin_keys(const float *times, const float *positions, size_t count, double tolerance,
                       bool *needed);
