// The library's version.
#pragma once

#include <sherd/export.h>

// "0.1.0". Never NULL.
SHERD_API const char *sherd_version(void);
