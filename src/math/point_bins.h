// Points sorted into a uniform grid of bins, rows of which are contiguous in memory: for points
// that are all known before the first query. For points that are added one by one see point_grid.h.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_point_bins {
    int32_t count;
    sherd_vec3 *point; // in bin order  (count)
    int32_t *source;   // index of each point in the input  (count)
    sherd_vec3 origin;
    double inverse_size; // [1/m]
    int32_t size[3];
    int32_t *start; // first point of each bin, x fastest  (bins + 1)
} sherd_point_bins;

// The size of bins: the requested size [m], multiplied by `growth` > 1 until there are at most
// `max_per_point` bins for each point, plus 64: more would waste memory on empty space.
typedef struct sherd_bin_size {
    double wanted, max_per_point, growth;
} sherd_bin_size;

// The k-th point.
typedef sherd_vec3 sherd_point_source(const void *context, int32_t k);

// Sorts `count` finite points. Points in a bin stay in the input order. Returns false if memory
// runs short; release it in any case.
bool sherd_point_bins_build(sherd_point_bins *b, sherd_point_source *point, const void *context,
                            int32_t count, sherd_bin_size size);
// `point` for an array of them (const sherd_vec3 *).
sherd_vec3 sherd_point_of_array(const void *points, int32_t k);
void sherd_point_bins_release(sherd_point_bins *b);

// Bounds of the points; empty at the origin if there are none.
sherd_bounds sherd_point_bins_bounds(const sherd_point_bins *b);

// Rows of points that may be within `reach` of a box: call next until it returns false.
typedef struct sherd_bin_rows {
    int32_t low[3], high[3]; // inclusive bin ranges
    int32_t y, z;
    bool ball;         // skip points beyond the reach of `centre`
    sherd_vec3 centre; // in bins from the origin
    double reach;      // [bins]
} sherd_bin_rows;

sherd_bin_rows sherd_point_bins_rows(const sherd_point_bins *b, sherd_vec3 low, sherd_vec3 high,
                                     double reach);
// The same for a ball, with fewer points beyond its reach.
sherd_bin_rows sherd_point_bins_ball(const sherd_point_bins *b, sherd_vec3 centre, double reach);
bool sherd_point_bins_next(const sherd_point_bins *b, sherd_bin_rows *rows, int32_t *begin,
                           int32_t *end);
