// The models of a system as rows of the table (models/model.h).
#pragma once

#include "models/bonded/bonded_model.h"
#include "models/model_sums.h"
#include "models/mpm/mpm_model.h"
#include "stepping/system.h"

enum { SHERD_SYSTEM_MODELS = 1 };

// Contains pointers into the system and into itself: neither may move in memory.
typedef struct sherd_system_models {
    sherd_bonded bonded;
    sherd_mpm_model_state points;
    sherd_model_part part[SHERD_SYSTEM_MODELS];
} sherd_system_models;

// Maps elements to their points (mpm_model.h).
// Callbacks that change a state (model.h) may only be called if the caller may change the system.
sherd_models sherd_system_models_of(sherd_system_models *models, const sherd_system *system);
