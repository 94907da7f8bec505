// Points sorted into a uniform grid of bins, rows of which lie next to each other in memory.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct bins {
    int32_t count;
    sherd_vec3 *point; // in bin order  (count)
    int32_t *source;   // index of each into the arrays they came from  (count)
    sherd_vec3 origin;
    double inverse_size; // [1/m]
    int32_t size[3];
    int32_t *start; // first point of each bin, x fastest  (bins + 1)
} bins;

// Sorts `count` points into bins of about `bin_size` (larger where the box is large and empty).
// Points keep their order within a bin. False when memory is short; release in any case.
bool sherd_bins_build(bins *b, const sherd_vec3 *points, int32_t count, double bin_size);
// Of the points; empty at the origin without any.
sherd_bounds sherd_bins_bounds(const bins *b);
void sherd_bins_release(bins *b);

// Rows of points that may lie within `reach` of a box: call next until it returns false.
typedef struct bins_rows {
    int32_t low[3], high[3]; // inclusive bin ranges
    int32_t y, z;
    bool ball;         // skip what lies beyond the reach of `centre`
    sherd_vec3 centre; // in bins from the origin
    double reach;      // [bins]
} bins_rows;

bins_rows sherd_bins_rows(const bins *b, sherd_vec3 low, sherd_vec3 high, double reach);
// The same for a ball, with fewer points that lie beyond its reach.
bins_rows sherd_bins_ball(const bins *b, sherd_vec3 centre, double reach);
bool sherd_bins_next(const bins *b, bins_rows *rows, int32_t *begin, int32_t *end);
