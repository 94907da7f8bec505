// Bonds as the files of a run have them: those of the world, and behind them its particles of glue.
#pragma once

#include <sherd/glue.h>
#include <sherd/run_file.h>
#include <sherd/world_def.h>

typedef struct sherd_run_bonds {
    sherd_bond_index count, glue_count; // m, of which glue
    const sherd_element_index *i,
        *j;                    // (m); as all below borrowed from the world where there is no glue
    const float *section;      // (m)
    const uint8_t *broken;     // as updated last (m)
    const int32_t *piece;      // of each element; NULL without glue
    sherd_glue_particle *glue; // as updated last (glue_count); owned
    void *owned[5];
} sherd_run_bonds;

// `section`: of the world's bonds, borrowed. False when memory is short; free in any case.
bool sherd_run_bonds_create(sherd_run_bonds *bonds, const sherd_world *world, const float *section);
void sherd_run_bonds_free(sherd_run_bonds *bonds);

// As the world stands.
void sherd_run_bonds_update(sherd_run_bonds *bonds, const sherd_world *world);
