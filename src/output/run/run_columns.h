// Additional columns of frames: loads of bonds and glue (output.bond_loads) and stresses of elements
// (output.stress).
#pragma once

#include <sherd/glue.h>
#include <sherd/run_file.h>
#include <sherd/stress.h>
#include <sherd/world_def.h>

// Bonds as the run's files number them: the world's bonds, followed by its particles of glue.
typedef struct sherd_run_bonds {
    sherd_bond_index count, glue_count; // m: all, including glue
    const sherd_element_index *i,
        *j; // (m); without glue this and the following arrays are borrowed from the world
    const float *section;      // (m)
    const uint8_t *broken;     // as of the last update (m)
    const int32_t *piece;      // of each element; NULL without glue
    sherd_glue_particle *glue; // as of the last update (glue_count); owned
    void *owned[5];
} sherd_run_bonds;

// `section`: sections of the world's bonds, borrowed. False if memory is short; free in any case.
bool sherd_run_bonds_create(sherd_run_bonds *bonds, const sherd_world *world, const float *section);
void sherd_run_bonds_free(sherd_run_bonds *bonds);

// Copies the world's present state.
void sherd_run_bonds_update(sherd_run_bonds *bonds, const sherd_world *world);

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
