// The library's version.
#pragma once

#include <sherd/export.h>

#include <stdint.h>

// "0.2.0". Never NULL.
SHERD_API const char *sherd_version(void);

// Fingerprint of everything public as this library was compiled: sizes of structs, offsets and sizes of their members,
// values of enumerators, prototypes. What describes the headers a second time (python/sherd) compares it before the
// first call.
SHERD_API uint64_t sherd_layout_hash(void);
