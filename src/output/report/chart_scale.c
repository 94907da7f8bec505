#include "output/report/chart_scale.h"

#include "base/assertion.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- SI prefixes

// Units must not start with a prefix: "kg" would become "mkg", so callers pass masses in grams.
static const char *prefix_for(double magnitude, double *unit)
{
    static const char *const names[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    int power = magnitude > 0.0 ? (int)floor(log10(magnitude * (1.0 + 1e-12)) / 3.0) : 0;
    power = power < -4 ? -4 : power > 4 ? 4 : power;
    *unit = pow(10.0, 3.0 * power);
    return names[power + 4];
}

void sherd_quantity_text(char text[SHERD_QUANTITY_SIZE], double value, const char *unit)
{
    char number[SHERD_NUMBER_SIZE];
    double scale = 1.0;
    bool plain = unit[0] == '\0' || !isfinite(value);
    const char *prefix = plain ? "" : prefix_for(fabs(value), &scale);
    sherd_number_text(number, value / scale, 4);
    snprintf(text, SHERD_QUANTITY_SIZE, "%s%s%s%s", number, unit[0] != '\0' ? " " : "", prefix,
             unit);
}

// ---------------------------------------------------------------- linear

// The smallest of 1, 2, 5 times a power of ten that is no less than `step`.
static double round_step(double step)
{
    double power = pow(10.0, floor(log10(step)));
    double lead = step / power;
    // The small allowance keeps 0.2 / 0.1 from becoming 5.
    return power * (lead <= 1.0 + 1e-9   ? 1.0
                    : lead <= 2.0 + 1e-9 ? 2.0
                    : lead <= 5.0 + 1e-9 ? 5.0
                                         : 10.0);
}

sherd_axis sherd_axis_linear(double low, double high, int wanted, bool prefixed)
{
    SHERD_ASSERT(wanted >= 1, "an axis has at least one interval");
    sherd_axis axis = {.low = low, .high = high, .unit = 1.0, .prefix = ""};
    double largest = fmax(fabs(low), fabs(high));
    if (!(high - low > 1e-12 * largest)) {
        double margin = largest > 0.0 ? 0.1 * largest : 1.0;
        axis.low = low - margin;
        axis.high = high + margin;
    }
    double step = round_step((axis.high - axis.low) / wanted);
    double first = ceil(axis.low / step - 1e-9);
    for (int k = 0; k < SHERD_AXIS_LARGEST_TICKS; ++k) {
        double tick = (first + k) * step;
        if (tick > axis.high + 1e-9 * step) break;
        axis.ticks[axis.tick_count++] = tick;
    }
    if (prefixed) axis.prefix = prefix_for(fmax(fabs(axis.low), fabs(axis.high)), &axis.unit);
    return axis;
}

// ---------------------------------------------------------------- logarithmic

sherd_axis sherd_axis_logarithmic(double low, double high, bool prefixed)
{
    // Without a positive value show one decade.
    if (!(low > 0.0) || !(high >= low) || !isfinite(high)) {
        low = 1.0;
        high = 10.0;
    }
    sherd_axis axis = {
        .low = log10(low), .high = log10(high), .logarithmic = true, .unit = 1.0, .prefix = ""};
    if (!(axis.high - axis.low > 1e-6)) {
        axis.low -= 0.5;
        axis.high += 0.5;
    }
    int first = (int)ceil(axis.low - 1e-9), last = (int)floor(axis.high + 1e-9);
    int step = (last - first) / SHERD_AXIS_LARGEST_TICKS + 1;
    for (int power = first; power <= last; power += step)
        axis.ticks[axis.tick_count++] = power;
    if (prefixed) axis.prefix = prefix_for(pow(10.0, axis.high), &axis.unit);
    return axis;
}

double sherd_axis_fraction(const sherd_axis *axis, double value)
{
    double at = axis->logarithmic ? log10(value) : value;
    return (at - axis->low) / (axis->high - axis->low);
}

void sherd_axis_tick_text(const sherd_axis *axis, int tick, char text[SHERD_QUANTITY_SIZE])
{
    double value = axis->logarithmic ? pow(10.0, axis->ticks[tick]) : axis->ticks[tick];
    char number[SHERD_NUMBER_SIZE];
    // Six digits hide the last bits of 0.30000000000000004.
    sherd_number_text(number, value / axis->unit, 6);
    snprintf(text, SHERD_QUANTITY_SIZE, "%s", number);
}
