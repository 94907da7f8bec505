// Symbol visibility. Everything in libsherd is hidden unless marked SHERD_API.
#pragma once

#if defined(__GNUC__)
#define SHERD_API __attribute__((visibility("default")))
#define SHERD_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SHERD_API
#define SHERD_PRINTF(text, first)
#endif
