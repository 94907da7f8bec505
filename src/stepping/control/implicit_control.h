// One implicit step under step control: its limits, and what its result says about the next one.
#pragma once

#include "stepping/control/control_pass.h"
#include "stepping/implicit/implicit_step.h"

// A step of dt, or a shorter one: it may end in an error, or be left to explicit steps.
sherd_status sherd_one_implicit_step(sherd_control_pass *p, double dt);

// The same without its consequences for the next. Counts its iterations.
sherd_status sherd_try_step(sherd_control_pass *p, double dt, sherd_implicit_result *result);

// SHERD_ERROR_UNSTABLE
sherd_status sherd_fail_step(const sherd_control_pass *p, const sherd_implicit_result *result);
