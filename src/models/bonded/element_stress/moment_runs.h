// Gathers the input of moment kernels, bond by bond where necessary.
#pragma once

#include "models/bonded/element_stress/moment_kernel.h"

// Fills a run from entry `at` of the list on and sets moments of broken bonds to zero. Returns
// where the next run begins, at most `end`.
size_t sherd_moment_collect(const sherd_moment_work *work, size_t at, size_t end,
                            sherd_moment_run *run);

// The same for a run at `at` whose constants are stored (moment_numbers.h); returns false if there
// is none. The run includes broken bonds: call sherd_moment_clear_broken afterwards.
bool sherd_moment_load_stored(const sherd_moment_work *work, size_t at, size_t end,
                              sherd_moment_run *run);
void sherd_moment_clear_broken(const sherd_moment_work *work, const sherd_moment_run *run);

// Finds a row at or around entry `at` of the list: either the row that begins at `at`, or, if fewer
// consecutive bonds than a row follow, the row that ends with them and begins at `begin` or later.
// Sets *next to where the following bonds begin.
bool sherd_moment_find_row(const sherd_moment_work *w, size_t begin, size_t at, size_t end,
                           sherd_moment_row *row, size_t *next);
