// Invariants at the borders of modules: conditions that a caller inside the library must ensure, or
// that a module guarantees for its results. Each has a name, which is reported if it is violated:
//
//   SHERD_ASSERT(sherd_indices_below(pair->i, count, n), "pairs join elements that there are");
//
// Enabled where SHERD_ASSERTIONS is 1 (debug and sanitizer builds, cmake/options.cmake), otherwise
// nothing is computed. Do not use it in kernels, which are tested bit by bit against their
// references. Put checks that loop over all items where these are created or sorted, not into each
// step.
#pragma once

#include <sherd/assertion.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(SHERD_ASSERTIONS) && SHERD_ASSERTIONS
#define SHERD_ASSERT(condition, name)                                                              \
    ((condition) ? (void)0 : sherd_assertion_failed(name ": " #condition, __FILE__, __LINE__))
#else
#define SHERD_ASSERT(condition, name) ((void)sizeof((condition) ? 1 : 0))
#endif

// ---------------------------------------------------------------- properties of whole arrays, true for empty ones

static inline bool sherd_all_finite(const double *values, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        if (!isfinite(values[k])) return false;
    return true;
}

static inline bool sherd_all_positive(const double *values, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        if (!(values[k] > 0.0) || isinf(values[k])) return false;
    return true;
}

// Every index is in [0, limit).
static inline bool sherd_indices_below(const int32_t *index, size_t count, int64_t limit)
{
    for (size_t k = 0; k < count; ++k)
        if (index[k] < 0 || index[k] >= limit) return false;
    return true;
}

// Each value is larger than the one before.
static inline bool sherd_strictly_ascending(const int32_t *values, size_t count)
{
    for (size_t k = 1; k < count; ++k)
        if (values[k - 1] >= values[k]) return false;
    return true;
}

// `order` contains each of 0 .. count - 1 once, tested by their sum and the sum of their squares,
// without memory.
static inline bool sherd_permutes(const uint32_t *order, size_t count)
{
    uint64_t sum = 0, squares = 0;
    for (size_t k = 0; k < count; ++k) {
        if (order[k] >= count) return false;
        sum += order[k] - (uint64_t)k;
        squares += (uint64_t)order[k] * order[k] - (uint64_t)k * k;
    }
    return sum == 0 && squares == 0;
}

// start[0] = 0 <= start[1] <= ... <= start[count] = total: valid row starts of compressed rows.
static inline bool sherd_rows_follow(const int32_t *start, size_t count, int64_t total)
{
    if (start[0] != 0 || start[count] != total) return false;
    for (size_t k = 0; k < count; ++k)
        if (start[k] > start[k + 1]) return false;
    return true;
}

static inline bool sherd_long_rows_follow(const int64_t *start, size_t count)
{
    if (start[0] != 0) return false;
    for (size_t k = 0; k < count; ++k)
        if (start[k] > start[k + 1]) return false;
    return true;
}

static inline bool sherd_unsigned_rows_follow(const uint32_t *start, size_t count, uint64_t total)
{
    if (start[0] != 0 || start[count] != total) return false;
    for (size_t k = 0; k < count; ++k)
        if (start[k] > start[k + 1]) return false;
    return true;
}

// Items ascend strictly in each row: sums over a row do not depend on threads, and nothing is
// listed twice.
static inline bool sherd_rows_ascend(const int32_t *start, size_t count, const int32_t *items)
{
    for (size_t k = 0; k < count; ++k)
        if (!sherd_strictly_ascending(items + start[k], (size_t)(start[k + 1] - start[k])))
            return false;
    return true;
}

static inline bool sherd_unsigned_rows_ascend(const uint32_t *start, size_t count,
                                              const uint32_t *items)
{
    for (size_t k = 0; k < count; ++k)
        for (uint32_t at = start[k]; at + 1 < start[k + 1]; ++at)
            if (items[at] >= items[at + 1]) return false;
    return true;
}

static inline bool sherd_rows_are_distinct(const int64_t *start, size_t count, const int32_t *items)
{
    for (size_t k = 0; k < count; ++k)
        for (int64_t a = start[k]; a < start[k + 1]; ++a)
            for (int64_t b = start[k]; b < a; ++b)
                if (items[a] == items[b]) return false;
    return true;
}
