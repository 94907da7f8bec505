// Additional columns of frames (sherd_run_column) in exports: one number per row, under the
// column's name.
#pragma once

#include "base/file_writer.h"
#include "output/export/owned_allocations.h"
#include "output/export/vtp.h"

#include <sherd/run_file.h>

enum { SHERD_FRAME_COLUMNS = 64, SHERD_FRAME_COLUMN_NAME = 72 }; // capacity; longest name

typedef struct sherd_frame_columns {
    int count;
    // Letters, digits and _. Names that occur twice in the file get the suffix _2, _3, ...
    char name[SHERD_FRAME_COLUMNS][SHERD_FRAME_COLUMN_NAME];
    const float *values[SHERD_FRAME_COLUMNS]; // borrowed from the frame
} sherd_frame_columns;

// Finds the columns of elements or of bonds. `taken`: other names in the file, NULL-terminated.
void sherd_frame_columns_find(sherd_frame_columns *columns, const sherd_run_frame *frame,
                              sherd_run_per per, const char *const *taken);

// Writes the header of a table: the names in `own`, then the columns' names.
void sherd_frame_columns_write_names(const sherd_frame_columns *columns, const char *const *own,
                                     sherd_file_writer *writer);
// Writes the columns' values at the end of a row; values that are not finite are empty cells.
void sherd_frame_columns_write_row(const sherd_frame_columns *columns, size_t row,
                                   sherd_file_writer *writer);

// Appends the columns to the `count` arrays of a file. `rows`: indices of the elements or bonds in
// the file, NULL: all. Returns the new number of arrays, or -1 if memory is short.
int sherd_frame_columns_add(sherd_vtk_array *arrays, int count, const sherd_run_frame *frame,
                            sherd_run_per per, const int32_t *rows, int64_t row_count,
                            sherd_owned *owned);
