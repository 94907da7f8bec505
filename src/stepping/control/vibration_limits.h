// Vibration and tumbling (vibration.h) in the choice of methods: when to sample them, and how they
// limit steps.
#pragma once

#include "stepping/control/control_pass.h"
#include "stepping/implicit/implicit_step.h"

bool sherd_limits_by_ringing(const sherd_control_pass *p);

// Samples the present vibration.
sherd_status sherd_find_pass_ringing(const sherd_control_pass *p);
// After an implicit step: shortens the next one for vibrations, and samples if a vibration may have
// begun.
sherd_status sherd_keep_ringing(const sherd_control_pass *p, const sherd_implicit_result *result);
// True if vibration and tumbling require implicit steps so short (dt or less) that explicit ones
// cost less.
bool sherd_explicit_keeps_ringing(const sherd_control_pass *p, double dt);
