// Explicit steps that are split where things meet fast.
//
//   step n                                                    step n + 1
//     |------------------------------|--------------|--|--|------|
//              dt / 2^k each, 2^k as what meets within some of them needs
//
// What nothing fast meets in goes as one. Where substeps begin depends on the state alone, and steps are whole again
// when anyone sees them: how many there are, where frames are and what is saved does not depend on it.
#pragma once

#include "stepping/system.h"

// One explicit step, split as need be, and sherd_after_step after each part of it with its share of the step.
// SHERD_ERROR_UNSTABLE where parts shorter than 2^-20 of it would be needed.
sherd_status sherd_system_step_split(sherd_system *system, sherd_after_step *after, void *context,
                                     sherd_error *error);
