// Whether a run begins with bodies in free flight, so that it may begin with large steps.
#pragma once

#include "base/error.h"
#include "stepping/system.h"

#include <stdbool.h>

// No driver, nothing listed near an obstacle, nothing that touches, no bond strained. Lists contacts and
// computes loads.
sherd_status sherd_system_flies(sherd_system *system, bool *flies, sherd_error *error);
