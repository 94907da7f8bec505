// Neighbour search among points that stay where they are: sorted by cubic cells, those of a row of
// cells one after the other. Finds the same points as sherd_point_grid, in the same order, in a
// third of the time.
#pragma once

#include "math/point_grid.h"

typedef struct sherd_cell_rows {
    double cell;           // edge length, at least the largest query distance [m]
    size_t count;          // points
    double *x, *y, *z;     // sorted by cell, of a cell the last added first [m] (count)
    int32_t *source;       // index of each among the points as given (count)
    int64_t low[3];        // the first cell along each axis
    int64_t size[3];       // number of cells
    int32_t *start;        // of each cell among the points, x fastest; then their number
    sherd_point_grid grid; // instead, if points are so far apart that most cells would be empty
} sherd_cell_rows;

// Points count as added in the order of `added`, of which number n is the added[n]-th; NULL: in their
// own. Returns false if memory runs short; free it in any case.
bool sherd_cell_rows_build(sherd_cell_rows *rows, double cell, const sherd_vec3 *point,
                           const int32_t *added, size_t count);
void sherd_cell_rows_free(sherd_cell_rows *rows);

// As sherd_point_grid_near and sherd_point_grid_is_taken.
int sherd_cell_rows_near(const sherd_cell_rows *rows, sherd_vec3 at, double distance, int32_t *near,
                         int most);
bool sherd_cell_rows_is_taken(const sherd_cell_rows *rows, sherd_vec3 at, double distance);
