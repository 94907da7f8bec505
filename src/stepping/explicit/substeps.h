// Explicit steps that are split where things meet fast.
//
//   step n                                                    step n + 1
//     |------------------------------|--------------|--|--|------|
//              dt / 2^k each, 2^k as what meets within some of them needs
//
// Steps without fast contacts are not split. Where substeps begin depends on the state alone, and steps are whole again
// at every output: their number, the frames and saved states do not depend on splitting.
#pragma once

#include "stepping/system.h"

// One explicit step, split as need be, and sherd_after_step after each part of it with its share of the step.
// SHERD_ERROR_UNSTABLE where parts shorter than 2^-20 of it would be needed.
sherd_status sherd_system_step_split(sherd_system *system, sherd_after_step *after, void *context,
                                     sherd_error *error);
