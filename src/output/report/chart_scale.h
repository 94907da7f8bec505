// Chart axes: round tick values and readable units.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SHERD_AXIS_LARGEST_TICKS = 16, SHERD_QUANTITY_SIZE = 48 };

typedef struct sherd_axis {
    double low, high; // ends in base units (their logarithms if `logarithmic`)
    bool logarithmic;
    int tick_count;
    double ticks[SHERD_AXIS_LARGEST_TICKS]; // like low and high
    double unit;                            // base units per displayed unit: 1e-3 for ms
    const char *prefix;                     // "m", "k", ...
} sherd_axis;

// Covers the range with about `wanted` ticks at 1, 2 or 5 times a power of ten. An empty range is
// widened. `prefixed`: choose an SI prefix for the largest value.
sherd_axis sherd_axis_linear(double low, double high, int wanted, bool prefixed);

// Ticks at powers of ten; low and high must be > 0.
sherd_axis sherd_axis_logarithmic(double low, double high, bool prefixed);

// Relative position of a value between the ends: 0 to 1.
double sherd_axis_fraction(const sherd_axis *axis, double value);

// Text of a tick, in displayed units.
void sherd_axis_tick_text(const sherd_axis *axis, int tick, char text[SHERD_QUANTITY_SIZE]);

// "1.24 ms": four digits with an SI prefix before the unit. Counts ("" as unit) get no prefix.
void sherd_quantity_text(char text[SHERD_QUANTITY_SIZE], double value, const char *unit);
