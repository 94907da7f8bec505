// Checks of material definitions.
#pragma once

#include <sherd/material.h>

// SHERD_ERROR_INPUT with `where` = "NAME.member" for the first member out of its range.
sherd_status sherd_material_def_check(const sherd_material_def *def, sherd_error *error);
