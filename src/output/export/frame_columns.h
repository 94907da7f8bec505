// Columns that a model or a law adds to frames (sherd_run_column), as exports show them: one number a row, under
// its name.
#pragma once

#include "base/file_writer.h"
#include "output/export/owned.h"
#include "output/export/vtp.h"

#include <sherd/run_file.h>

enum { SHERD_FRAME_COLUMNS = 64, SHERD_FRAME_COLUMN_NAME = 72 }; // most of a frame; room for a name

typedef struct sherd_frame_columns {
    int count;
    // Letters, digits and _. One that the file has already, or that two columns have, gets _2, _3 behind it.
    char name[SHERD_FRAME_COLUMNS][SHERD_FRAME_COLUMN_NAME];
    const float *values[SHERD_FRAME_COLUMNS]; // the frame's
} sherd_frame_columns;

// Those of elements or those of bonds. `taken`: names in the file, NULL-terminated.
void sherd_frame_columns_find(sherd_frame_columns *columns, const sherd_run_frame *frame,
                              sherd_run_per per, const char *const *taken);

// The first line of a table: its own names, then theirs.
void sherd_frame_columns_write_names(const sherd_frame_columns *columns, const char *const *own,
                                     sherd_file_writer *writer);
// The rest of a row; what is no number is an empty cell.
void sherd_frame_columns_write_row(const sherd_frame_columns *columns, size_t row,
                                   sherd_file_writer *writer);

// Adds them to the `count` arrays of a file, whose names they avoid; `rows`: which elements or bonds the file has,
// NULL: all. Returns how many arrays there are then, -1: no memory.
int sherd_frame_columns_add(sherd_vtk_array *arrays, int count, const sherd_run_frame *frame,
                            sherd_run_per per, const int32_t *rows, int64_t row_count,
                            sherd_owned *owned);
