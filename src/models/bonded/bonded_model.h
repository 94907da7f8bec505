// The bonded-element model's entry in the table of models. Its state is a sherd_bonded.
#pragma once

#include "models/bonded/bonded.h"
#include "models/model.h"

extern const sherd_model sherd_model_bonded;
