// Tables that are continued when a run is resumed, and get many rows at once.
#pragma once

#include <sherd/table.h>

// Continues an existing table whose first column is an ascending frame number: retains the rows
// below `first_frame`, truncates later and incomplete ones. Creates the table if there is none.
// SHERD_ERROR_INPUT if its header differs.
sherd_table_writer *sherd_table_writer_resume(const char *path, const sherd_column *columns,
                                              int column_count, int64_t first_frame,
                                              sherd_error *error);

// Appends a row that stays in memory until the next flush: a table of breaks has thousands of rows a
// frame, and a call of the system for each took longer than their text. SHERD_ERROR_MEMORY.
sherd_status sherd_table_writer_add(sherd_table_writer *writer, const sherd_cell *cells,
                                    sherd_error *error);
// Passes the added rows to the system. SHERD_ERROR_IO; none of them then stays in the file.
sherd_status sherd_table_writer_flush(sherd_table_writer *writer, sherd_error *error);

// Makes the rows durable.
sherd_status sherd_table_writer_sync(sherd_table_writer *writer, sherd_error *error);
