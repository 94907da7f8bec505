// Whether sanitizers look on. They judge what code does with memory: of a sweep in which only a number changes,
// its ends are enough for them, and the build without them takes all of it.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED
#define SANITIZED 0
#endif
