// A folder for files that nobody keeps.
#pragma once

#include <stdbool.h>

enum { SCRATCH_FOLDER = 512 };

// Makes PLACE/.sherd-XXXXXX, of a name that was free, into `folder`; place NULL: TMPDIR or /tmp. False with errno.
bool scratch_folder_make(const char *place, char folder[SCRATCH_FOLDER]);

// With all that is in it. Links are not followed: what lies behind them stays.
void scratch_folder_remove(const char *folder);
