// The changing state of a system as the section "system" of a record, and its restoration, which
// continues bit for bit. Everything that the next step reads is stored; everything else follows
// from the definitions.
#pragma once

#include "base/record.h"
#include "models/bonded/bonded_model.h"
#include "models/fem/fem_model.h"
#include "models/models.h"
#include "models/mpm/mpm_model.h"
#include "stepping/system.h"

#include <sherd/world_view.h>

sherd_status sherd_system_save(const sherd_system *system, sherd_byte_buffer *out,
                               sherd_error *error);

// Restores into a system made from the same definitions.
sherd_status sherd_system_restore(sherd_system *system, sherd_record_reader *in,
                                  sherd_error *error);

// Row layouts of the saved structs.
extern const sherd_row_layout sherd_split_layout, sherd_accounts_layout, sherd_step_control_layout,
    sherd_solver_counts_layout;

// Frees all that it owns.
void sherd_system_free(sherd_system *system);

// Adds its memory, including regions, to `use`, whose total is not changed.
void sherd_system_add_memory(const sherd_system *system, sherd_memory_use *use);

// The models of a system as rows of the table (models/model.h).

enum { SHERD_SYSTEM_MODELS = 1 };

// Contains pointers into the system and into itself: neither may move in memory.
typedef struct sherd_system_models {
    sherd_bonded bonded;
    sherd_mpm_model_state points;
    sherd_fem_model_state fem;
    sherd_model_part part[SHERD_SYSTEM_MODELS];
} sherd_system_models;

// Maps elements to their points (mpm_model.h).
// Callbacks that change a state (model.h) may only be called if the caller may change the system.
sherd_models sherd_system_models_of(sherd_system_models *models, const sherd_system *system);
