// Columns of probes.csv and breaks.csv; stats.csv is in sherd/table.h, because the command prints
// it, too.
#pragma once

#include <sherd/table.h>

const sherd_column *sherd_probe_columns(void); // (SHERD_PROBE_COLUMN_COUNT)

void sherd_probe_cells(const sherd_probe_row *row, sherd_cell cells[SHERD_PROBE_COLUMN_COUNT]);

// Columns of breaks.csv, and the cells of one row: `frame` is the first one after the break.
const sherd_column *sherd_break_columns(void); // (SHERD_BREAK_COLUMN_COUNT)

void sherd_break_cells(int64_t frame, const sherd_break *broken,
                       sherd_cell cells[SHERD_BREAK_COLUMN_COUNT]);
