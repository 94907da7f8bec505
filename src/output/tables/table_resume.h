// Tables that grow while a run is stopped and resumed.
#pragma once

#include <sherd/table.h>

// Continues an existing table whose first column counts frames upwards: keeps the rows below
// `first_frame` untouched, cuts off later and torn ones. Makes the table when there is none.
// SHERD_ERROR_INPUT when its header differs.
sherd_table_writer *sherd_table_writer_resume(const char *path, const sherd_column *columns,
                                              int column_count, int64_t first_frame,
                                              sherd_error *error);

// Makes the rows durable.
sherd_status sherd_table_writer_sync(sherd_table_writer *writer, sherd_error *error);
