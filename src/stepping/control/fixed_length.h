// Implicit steps of a given, constant length, made in parts where bodies would pass through each other: frames and
// counts of steps are those of whole steps.
#pragma once

#include "stepping/control/control_pass.h"

sherd_status sherd_fixed_step(sherd_control_pass *p);
