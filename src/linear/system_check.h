// Validation of linear systems. A model checks its own state when it is prepared; springs are
// checked when they are sorted (spring_set.h).
#pragma once

#include "linear/linear_system.h"

sherd_status sherd_linear_system_check(const sherd_linear_system *system, sherd_error *error);
