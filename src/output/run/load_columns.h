// Loads of bonds as columns of frames, where a scene asks for them (output.bond_loads).
#pragma once

#include <sherd/run_file.h>

enum { SHERD_LOAD_COLUMNS = 14 };

typedef struct sherd_load_columns {
    sherd_bond_load *loads; // owned
    float *values;          // (columns x bonds); owned
    sherd_run_column columns[SHERD_LOAD_COLUMNS];
} sherd_load_columns;

// False: short of memory.
bool sherd_load_columns_create(sherd_load_columns *columns, sherd_bond_index bonds);
void sherd_load_columns_free(sherd_load_columns *columns);

// The world's present loads; no number of broken bonds.
void sherd_load_columns_fill(sherd_load_columns *columns, const sherd_world *world);
