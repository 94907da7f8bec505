// Validation of definitions of pieces and glue.
#pragma once

#include <sherd/error.h>
#include <sherd/fracture.h>

// SHERD_ERROR_INPUT with where = `name`, or "NAME.member".
sherd_status sherd_fracture_def_check(const sherd_fracture_def *def, const char *name,
                                      sherd_error *error);
