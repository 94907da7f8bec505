// A temporary folder.
#pragma once

#include <stdbool.h>

enum { TEMPORARY_FOLDER = 512 };

// Creates PLACE/.sherd-XXXXXX with a unique name; place NULL: TMPDIR or /tmp. False with errno.
bool temporary_folder_make(const char *place, char folder[TEMPORARY_FOLDER]);

// Removes the folder and its contents. Links are removed, not followed.
void temporary_folder_remove(const char *folder);
