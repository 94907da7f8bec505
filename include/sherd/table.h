// CSV tables: comma-separated, one header row, `.` as decimal mark whatever the locale, a row on
// disk as soon as it is written.
#pragma once

#include <sherd/run_file.h>

#include <stdbool.h>

typedef enum sherd_column_kind {
    SHERD_COLUMN_INTEGER = 0, // cell.integer
    SHERD_COLUMN_NUMBER,      // cell.number with 9 digits: plenty for curves
    SHERD_COLUMN_EXACT,       // cell.number with 17 digits: reads back bit for bit
    SHERD_COLUMN_HASH,        // cell.integer as 16 hexadecimal digits
    SHERD_COLUMN_TEXT,        // cell.text, quoted when it needs to be
} sherd_column_kind;

typedef struct sherd_column {
    const char *name; // with its unit: "time_s"
    sherd_column_kind kind;
} sherd_column;

typedef union sherd_cell {
    int64_t integer;
    double number;
    const char *text;
} sherd_cell;

// ---------------------------------------------------------------- writing

typedef struct sherd_table_writer sherd_table_writer;

// Starts a new table with its header row; a former one with the same columns is replaced. Columns are
// copied. SHERD_ERROR_INPUT, and nothing is touched, where the file that is there begins otherwise.
SHERD_API sherd_table_writer *sherd_table_writer_create(const char *path,
                                                        const sherd_column *columns,
                                                        int column_count, sherd_error *error);

// One cell per column. On failure nothing of the row stays in the file.
SHERD_API sherd_status sherd_table_writer_row(sherd_table_writer *writer, const sherd_cell *cells,
                                              sherd_error *error);

// Makes the rows durable, closes and frees, also on failure. NULL is fine.
SHERD_API sherd_status sherd_table_writer_close(sherd_table_writer *writer, sherd_error *error);

// ---------------------------------------------------------------- the tables of a run

enum {
    SHERD_STATS_COLUMN_COUNT = 37,
    SHERD_PROBE_COLUMN_COUNT = 28,
    SHERD_BREAK_COLUMN_COUNT = 14,
};

// Columns of stats.csv and the cells of one row of it.
SHERD_API const sherd_column *sherd_stats_columns(void); // (SHERD_STATS_COLUMN_COUNT)
SHERD_API void sherd_stats_cells(const sherd_run_stats *stats,
                                 sherd_cell cells[SHERD_STATS_COLUMN_COUNT]);

// One row of probes.csv: what one probe read at one time.
typedef struct sherd_probe_row {
    int64_t frame;    // the frame it belongs to: the next one when sampled between frames
    double time;      // [s]
    const char *name; // of the driver or obstacle
    const char *kind; // "driver", "probe", "obstacle"
    sherd_probe_reading reading;
} sherd_probe_row;

// ---------------------------------------------------------------- reading

typedef struct sherd_table sherd_table;

// Reads a whole table. A last row without an end of line is a torn write and left out. NULL with
// SHERD_ERROR_IO or SHERD_ERROR_INPUT (`where` is file:line).
SHERD_API sherd_table *sherd_table_read(const char *path, sherd_error *error);
SHERD_API void sherd_table_destroy(sherd_table *table); // NULL is fine

SHERD_API int64_t sherd_table_row_count(const sherd_table *table);
SHERD_API int sherd_table_column_count(const sherd_table *table);
SHERD_API const char *sherd_table_column_name(const sherd_table *table, int column);
SHERD_API int sherd_table_find_column(const sherd_table *table, const char *name); // -1: none
SHERD_API const char *sherd_table_text(const sherd_table *table, int64_t row, int column);
// NAN when the cell is not a number.
SHERD_API double sherd_table_number(const sherd_table *table, int64_t row, int column);
