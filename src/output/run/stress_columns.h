// Stresses of elements as additional columns of frames (output.stress).
#pragma once

#include <sherd/run_file.h>
#include <sherd/stress.h>
#include <sherd/world_def.h>

enum { SHERD_STRESS_COLUMNS = 10 };

typedef struct sherd_stress_columns {
    sherd_stress *stress; // owned
    float *values;        // (columns x elements); owned
    sherd_run_column columns[SHERD_STRESS_COLUMNS];
} sherd_stress_columns;

// False if memory is short.
bool sherd_stress_columns_create(sherd_stress_columns *columns, sherd_element_index elements);
void sherd_stress_columns_free(sherd_stress_columns *columns);

// Fills the world's present stresses.
void sherd_stress_columns_fill(sherd_stress_columns *columns, const sherd_world *world);
