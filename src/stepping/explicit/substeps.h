// Explicit steps that are split while bodies meet fast.
//
//   step n                                                    step n + 1
//     |------------------------------|--------------|--|--|------|
//              dt / 2^k each, 2^k as required by the contacts that begin in some of them
//
// Steps without fast contacts are not split. The beginning of substeps depends on the state alone,
// and steps are whole again at every output: step numbers, frames and saved states do not depend on
// splitting.
#pragma once

#include "stepping/system.h"

// Makes one explicit step, split if necessary, and calls sherd_after_step after each part of it
// with its fraction of the step. SHERD_ERROR_UNSTABLE if parts shorter than 2^-20 of it would be
// needed.
sherd_status sherd_system_step_split(sherd_system *system, sherd_after_step *after, void *context,
                                     sherd_error *error);
