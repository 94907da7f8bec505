// Faces of elements on which drivers act: wind, blast, pressure (bodies/driver_surface.h).
#pragma once

#include "stepping/system.h"

// Once, before the first step. SHERD_ERROR_INPUT: a driver acts on a model without such faces.
sherd_status sherd_system_prepare_surfaces(sherd_system *system, sherd_error *error);

// Finds the faces again if bonds broke since they were found last.
sherd_status sherd_system_expose_surfaces(sherd_system *system, sherd_error *error);

// Both the faces and where they are now, for the next implicit step.
sherd_status sherd_system_sample_surfaces(sherd_system *system, sherd_error *error);
