// What happens where the library finds a bug of its own. Mistakes of the caller are errors
// (<sherd/error.h>), never this.
#pragma once

#include <sherd/export.h>

// Called where an assertion does not hold, in debug and sanitizer builds; release builds have no
// assertions. It must not return. A program may define this function itself: the library's own is weak,
// says which assertion it was on the standard error stream and aborts.
SHERD_API void sherd_assertion_failed(const char *condition, const char *file, int line);
