// Assertions: what happens when the library finds a bug of its own. Mistakes of the caller are
// reported as errors instead (<sherd/error.h>).
#pragma once

#include <sherd/export.h>

// Called when an assertion fails, in debug and sanitizer builds; release builds have no assertions.
// `condition` names the invariant, `file` and `line` are the place in the library's source. Must not
// return. A program may define this function itself: the library's own is a weak symbol, which
// prints the assertion to the standard error stream and aborts.
SHERD_API void sherd_assertion_failed(const char *condition, const char *file, int line);
