// Tests whether a run begins with bodies in free flight, so that large steps are possible from the
// start.
#pragma once

#include "base/error.h"
#include "stepping/system.h"

#include <stdbool.h>

// True if there is no driver, no element near an obstacle, no contact, and no strained bond. Lists
// contacts and computes loads.
sherd_status sherd_system_flies(sherd_system *system, bool *flies, sherd_error *error);
