// Implicit steps of a given constant length. A step in which bodies would pass through each other
// is made in parts; frames and step counts are those of whole steps.
#pragma once

#include "stepping/control/control_pass.h"

sherd_status sherd_fixed_step(sherd_control_pass *p);
