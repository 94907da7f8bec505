// Checks of world definitions.
#pragma once

#include <sherd/world_def.h>

// SHERD_ERROR_INPUT with the member's name as `where` for values that sherd_world_create refuses.
sherd_status sherd_world_def_check(const sherd_world_def *def, sherd_error *error);
