// Gathers what kernels of moments need of bonds, some of which is only found bond by bond.
#pragma once

#include "models/bonded/element_stress/moment_kernel.h"

// A run from bond `at` of the list on; zeroes moments of broken bonds. Returns where the next run begins, at most `end`.
size_t sherd_moment_collect(const sherd_moment_work *work, size_t at, size_t end,
                            sherd_moment_run *run);

// The same of a run that begins at `at` and whose numbers are stored (moment_numbers.h). False: none does. Broken bonds
// are in it, too: sherd_moment_clear_broken is for afterwards.
bool sherd_moment_take_stored(const sherd_moment_work *work, size_t at, size_t end,
                              sherd_moment_run *run);
void sherd_moment_clear_broken(const sherd_moment_work *work, const sherd_moment_run *run);

// Whether bond `at` of the list and those behind it are a row, or as many as follow each other from there, fewer than a
// row takes, are the end of one that begins at `begin` or later. Which; and where what follows begins, in *next.
bool sherd_moment_find_row(const sherd_moment_work *w, size_t begin, size_t at, size_t end,
                           sherd_moment_row *row, size_t *next);
