// One implicit step under step control: its limits, and the consequences of its result for the next
// one.
#pragma once

#include "stepping/control/control_pass.h"
#include "stepping/implicit/implicit_step.h"

// Makes a step of at most dt. It may end in an error, or be left to explicit steps.
sherd_status sherd_one_implicit_step(sherd_control_pass *p, double dt);

// The same without consequences for the next step. Counts its iterations.
sherd_status sherd_try_step(sherd_control_pass *p, double dt, sherd_implicit_result *result);

// SHERD_ERROR_UNSTABLE
sherd_status sherd_fail_step(const sherd_control_pass *p, const sherd_implicit_result *result);

// Vibration and tumbling (vibration.h) in the choice of methods: when to sample them, and how they
// limit steps.

bool sherd_limits_by_ringing(const sherd_control_pass *p);

// Samples the present vibration.
sherd_status sherd_find_pass_ringing(const sherd_control_pass *p);
// True if vibration and tumbling require implicit steps so short (dt or less) that explicit ones
// cost less.
bool sherd_explicit_keeps_ringing(const sherd_control_pass *p, double dt);
