// Validation of packing definitions.
#pragma once

#include <sherd/packing.h>

// SHERD_ERROR_INPUT with where = "packing.MEMBER".
sherd_status sherd_packing_def_check(const sherd_packing_def *def, sherd_error *error);
