// The library's version.
#pragma once

#include <sherd/export.h>

#include <stdint.h>

// Returns the version, "0.2.0", a static string. Never NULL.
SHERD_API const char *sherd_version(void);

// Returns a fingerprint of the public interface as this library was compiled: sizes of structs,
// offsets and sizes of their members, values of enumerators, prototypes. A binding that repeats the
// headers (python/sherd) compares it with its own before the first call.
SHERD_API uint64_t sherd_layout_hash(void);
