// Validation of obstacle definitions.
#pragma once

#include <sherd/obstacle.h>

// SHERD_ERROR_INPUT with where = "NAME.field" for the first invalid field.
sherd_status sherd_obstacle_def_check(const sherd_obstacle_def *def, sherd_error *error);
