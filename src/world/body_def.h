// Validation of body definitions.
#pragma once

#include "world/world.h"

enum { SHERD_GENERATION = 1 }; // of all ids: nothing is removed from a world

// SHERD_ERROR_INPUT with where = `name`, or "NAME.member".
sherd_status sherd_body_def_check(const sherd_world *world, const sherd_body_def *def,
                                  const char *name, sherd_error *error);
