// Stresses of elements as columns of frames, where a scene asks for them (output.stress).
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

// False: short of memory.
bool sherd_stress_columns_create(sherd_stress_columns *columns, sherd_element_index elements);
void sherd_stress_columns_free(sherd_stress_columns *columns);

// The world's present stresses.
void sherd_stress_columns_fill(sherd_stress_columns *columns, const sherd_world *world);
