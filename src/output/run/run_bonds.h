// Bonds as the run's files number them: the world's bonds, followed by its particles of glue.
#pragma once

#include <sherd/glue.h>
#include <sherd/run_file.h>
#include <sherd/world_def.h>

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
