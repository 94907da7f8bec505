// A temporary folder.
#pragma once

#include <stdbool.h>

enum { SCRATCH_FOLDER = 512 };

// Creates PLACE/.sherd-XXXXXX with a unique name; place NULL: TMPDIR or /tmp. False with errno.
bool scratch_folder_make(const char *place, char folder[SCRATCH_FOLDER]);

// Removes the folder and its contents. Links are removed, not followed.
void scratch_folder_remove(const char *folder);
