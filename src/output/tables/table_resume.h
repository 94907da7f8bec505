// Tables that are continued when a run is resumed.
#pragma once

#include <sherd/table.h>

// Continues an existing table whose first column is an ascending frame number: retains the rows
// below `first_frame`, truncates later and incomplete ones. Creates the table if there is none.
// SHERD_ERROR_INPUT if its header differs.
sherd_table_writer *sherd_table_writer_resume(const char *path, const sherd_column *columns,
                                              int column_count, int64_t first_frame,
                                              sherd_error *error);

// Makes the rows durable.
sherd_status sherd_table_writer_sync(sherd_table_writer *writer, sherd_error *error);
