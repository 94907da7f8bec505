// CSV tables: comma-separated, one header row, `.` as decimal mark in every locale. A row is on
// disk as soon as it has been written.
#pragma once

#include <sherd/run_file.h>

#include <stdbool.h>

// How the cells of a column are written.
typedef enum sherd_column_kind {
    SHERD_COLUMN_INTEGER = 0, // cell.integer
    SHERD_COLUMN_NUMBER,      // cell.number with 9 digits
    SHERD_COLUMN_EXACT,       // cell.number with 17 digits: reads back exactly
    SHERD_COLUMN_HASH,        // cell.integer as 16 hexadecimal digits
    SHERD_COLUMN_TEXT,        // cell.text, quoted if necessary
} sherd_column_kind;

// A column of a new table.
typedef struct sherd_column {
    const char *name;       // with its unit: "time_s"
    sherd_column_kind kind; // how its cells are written
} sherd_column;

// A cell; the column's kind says which member is used.
typedef union sherd_cell {
    int64_t integer;  // INTEGER, HASH
    double number;    // NUMBER, EXACT
    const char *text; // TEXT; borrowed
} sherd_cell;

// ---------------------------------------------------------------- writing

// A table that is being written; opaque.
typedef struct sherd_table_writer sherd_table_writer;

// Starts a new table with its header row; columns are copied (column_count). Replaces a table with
// the same columns. NULL with SHERD_ERROR_INPUT if the file exists and begins otherwise (it is not
// touched), SHERD_ERROR_IO or SHERD_ERROR_MEMORY. Free with sherd_table_writer_close.
SHERD_API sherd_table_writer *sherd_table_writer_create(const char *path,
                                                        const sherd_column *columns,
                                                        int column_count, sherd_error *error);

// Appends a row with one cell per column. SHERD_ERROR_IO; nothing of the row then stays in the
// file.
SHERD_API sherd_status sherd_table_writer_row(sherd_table_writer *writer, const sherd_cell *cells,
                                              sherd_error *error);

// Makes the rows durable, closes the file and frees the writer, also on failure. SHERD_ERROR_IO.
// NULL is allowed.
SHERD_API sherd_status sherd_table_writer_close(sherd_table_writer *writer, sherd_error *error);

// ---------------------------------------------------------------- the tables of a run

// Numbers of columns of stats.csv, probes.csv and breaks.csv.
enum {
    SHERD_STATS_COLUMN_COUNT = 37,
    SHERD_PROBE_COLUMN_COUNT = 28,
    SHERD_BREAK_COLUMN_COUNT = 14,
};

// Returns the columns of stats.csv (SHERD_STATS_COLUMN_COUNT); static.
SHERD_API const sherd_column *sherd_stats_columns(void);
// Fills the cells of one row of stats.csv.
SHERD_API void sherd_stats_cells(const sherd_run_stats *stats,
                                 sherd_cell cells[SHERD_STATS_COLUMN_COUNT]);

// One row of probes.csv: the reading of one probe at one time.
typedef struct sherd_probe_row {
    int64_t frame;               // frame of the sample; between two frames, the next one
    double time;                 // [s]
    const char *name;            // of the driver or obstacle
    const char *kind;            // "driver", "probe", "obstacle"
    sherd_probe_reading reading; // its reading
} sherd_probe_row;

// ---------------------------------------------------------------- reading

// A table in memory; opaque.
typedef struct sherd_table sherd_table;

// Reads a whole table. A last row without an end of line is incomplete and left out. NULL with
// SHERD_ERROR_IO, SHERD_ERROR_INPUT (`where` is file:line) or SHERD_ERROR_MEMORY. Free with
// sherd_table_destroy.
SHERD_API sherd_table *sherd_table_read(const char *path, sherd_error *error);
// Destroys a table and the texts that it returned. NULL is allowed.
SHERD_API void sherd_table_destroy(sherd_table *table);

// Returns the number of rows without the header.
SHERD_API int64_t sherd_table_row_count(const sherd_table *table);
// Returns the number of columns.
SHERD_API int sherd_table_column_count(const sherd_table *table);
// Returns the name of a column, from 0; valid as long as the table.
SHERD_API const char *sherd_table_column_name(const sherd_table *table, int column);
// Returns the number of the column with this name, from 0; -1 if there is none.
SHERD_API int sherd_table_find_column(const sherd_table *table, const char *name);
// Returns the text of a cell, row and column from 0; valid as long as the table.
SHERD_API const char *sherd_table_text(const sherd_table *table, int64_t row, int column);
// Returns the number in a cell, row and column from 0; NAN if it is not a number.
SHERD_API double sherd_table_number(const sherd_table *table, int64_t row, int column);
