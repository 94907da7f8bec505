// Description of a run in its file: scene, settings and machine, and the constant model.
#pragma once

#include "output/run/run_state.h"

// Fills loop->info and loop->model.
sherd_status sherd_run_describe(sherd_run_loop *loop, sherd_error *error);
