// Bonds that an explicit step broke.
//
// All of them leave at once, after the step's second half kick and before the next one's first: their energy is booked
// as dissipated, and their loads are taken out of F and T.
#pragma once

#include "stepping/system.h"

// `time`: of the step's end [s].
sherd_status sherd_system_break_bonds(sherd_system *system, double time, sherd_error *error);
