// Additional columns of frames: loads of bonds and glue (output.bond_loads) and stresses of elements
// (output.stress).
#pragma once

#include "output/run/run_bonds.h"

#include <sherd/run_file.h>
#include <sherd/stress.h>
#include <sherd/world_def.h>

enum { SHERD_LOAD_COLUMNS = 14 };

typedef struct sherd_load_columns {
    sherd_bond_load *loads; // of the world's bonds; owned
    float *values;          // (columns x bonds and glue); owned
    sherd_run_column columns[SHERD_LOAD_COLUMNS];
} sherd_load_columns;

// False if memory is short.
bool sherd_load_columns_create(sherd_load_columns *columns, const sherd_run_bonds *bonds);
void sherd_load_columns_free(sherd_load_columns *columns);

// Fills the present loads of the world's bonds and of the glue in `bonds`; NAN for broken bonds and
// for glue that is not tested.
void sherd_load_columns_fill(sherd_load_columns *columns, const sherd_world *world,
                             const sherd_run_bonds *bonds);

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
