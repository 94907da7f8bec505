// Checks of our own bugs at the borders of modules: conditions that a caller inside the library must ensure.
// On where SHERD_ASSERTIONS is 1 (debug and sanitizer builds, cmake/options.cmake), otherwise nothing is
// computed. Not in kernels, which are tested bit by bit against their references.
#pragma once

#include <sherd/assertion.h>

#if defined(SHERD_ASSERTIONS) && SHERD_ASSERTIONS
#define SHERD_ASSERT(condition)                                                                    \
    ((condition) ? (void)0 : sherd_assertion_failed(#condition, __FILE__, __LINE__))
#else
#define SHERD_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif
