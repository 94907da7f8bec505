// Refuses linear systems that make no sense. Springs are checked where they are sorted (spring_set.h).
#pragma once

#include "linear/linear_system.h"

sherd_status sherd_tangent_check(const sherd_linear_system *system, sherd_error *error);
