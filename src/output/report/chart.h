// Line charts, stacked areas and histograms as inline SVG.
#pragma once

#include "base/byte_buffer.h"

typedef enum sherd_chart_kind {
    SHERD_CHART_LINES = 0,
    SHERD_CHART_STACKED,   // areas on top of each other; dashed series are lines over them. All
                           // series have the same x
    SHERD_CHART_HISTOGRAM, // one series; bars from x[k] to x[k+1] of height y[k]; both axes
                           // logarithmic; count is the number of edges, y has one less
} sherd_chart_kind;

typedef struct sherd_chart_series {
    const char *name;
    const double *x, *y;
    int64_t count;
    bool dashed;
    const double *low, *high; // of lines: a band behind the curve; NULL: none
} sherd_chart_series;

typedef struct sherd_chart {
    sherd_chart_kind kind;
    const char *title;
    const char *x_name, *x_unit; // units without prefix: "s"; "" for counts
    const char *y_name, *y_unit;
    int series_count; // at most SHERD_CHART_LARGEST_SERIES
    const sherd_chart_series *series;
} sherd_chart;

enum { SHERD_CHART_LARGEST_SERIES = 12 };

// Appends a <figure>. Values that are not finite are omitted. Colours are the page's CSS variables
// --c0 ... --c11. Appends nothing if there is nothing to draw.
void sherd_chart_append(sherd_byte_buffer *html, const sherd_chart *chart);
