// Figures of a run, read from the tables in its folder. All return NAN where the table, the column or the
// probe is missing, or nothing meets the condition.
#pragma once

#include "paper/paper_item.h"

// The value in the last row.
double paper_last(const char *folder, const paper_column *column);
// The largest magnitude.
double paper_largest(const char *folder, const paper_column *column);
// The slope of |y| over |x| by least squares, of samples before the largest |y| that have |y| from `from` to `to` times it.
double paper_slope(const char *folder, const paper_column *column);
// The value of x in the first row with y of at least `from`.
double paper_first(const char *folder, const paper_column *column);
// Computing time per frame [s], by the clock, without pictures and files.
double paper_seconds(const char *folder, const paper_column *column);

// Of the surface that the run wrote as PLY in the frame `from`: its closed parts, area [m^2], volume [m^3].
double paper_surface_parts(const char *folder, const paper_column *column);
double paper_surface_area(const char *folder, const paper_column *column);
double paper_surface_volume(const char *folder, const paper_column *column);

// The deepest overlap of a contact that presses, of elements and obstacles or of pairs of elements, in any frame over
// the mean radius.
double paper_depth_in_obstacles(const char *folder, const paper_column *column);
double paper_depth_of_pairs(const char *folder, const paper_column *column);

// Columns of most tables of costs: the number of elements, and computing time, which another machine took
// in the paper.
#define PAPER_ELEMENTS                                                                             \
    {                                                                                              \
        .name = "elements", .unit = "1", .measure = paper_last,                                    \
        .y = {"stats.csv", NULL, "elements"}, .of_size = true                                      \
    }
#define PAPER_TIME(machine)                                                                        \
    {                                                                                              \
        .name = "time a frame", .unit = "s", .measure = paper_seconds, .of_size = true,            \
        .why = machine                                                                             \
    }

// The rows of a series; owned by the caller, free with paper_values_free.
typedef struct paper_values {
    int64_t count;
    double *at; // NULL: memory is short, or there is no such series  (count)
} paper_values;

paper_values paper_values_read(const char *folder, const paper_series *series);
void paper_values_free(paper_values *values);
