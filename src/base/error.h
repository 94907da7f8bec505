// Filling a sherd_error. All text is truncated to fit, never overrun.
#pragma once

#include <sherd/error.h>

// Fills *error (which may be NULL) and returns `status`, so that a failing function can end with
//     return sherd_fail(error, SHERD_ERROR_INPUT, "material.density", "densities are positive",
//                       "must be > 0, got %g", density);
// `where` and `hint` may be NULL.
sherd_status sherd_fail(sherd_error *error, sherd_status status, const char *where,
                        const char *hint, const char *what_format, ...) SHERD_PRINTF(5, 6);

// Reports that `count` items of `what` did not fit in memory.
sherd_status sherd_fail_memory(sherd_error *error, const char *what);

void sherd_error_clear(sherd_error *error);
