// Removal of the bonds that broke in an explicit step.
//
// All of them are removed at once, after the step's second half kick and before the next one's
// first. Their energy is booked as dissipated, and their loads are subtracted from F and T.
#pragma once

#include "stepping/system.h"

// `time`: of the step's end [s].
sherd_status sherd_system_break_bonds(sherd_system *system, double time, sherd_error *error);
