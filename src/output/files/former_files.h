// Files of an earlier run, or an earlier part of this one, in the folder: pictures and meshes of
// frames that are about to be made again, or no longer exist.
#pragma once

#include "output/files/own_files.h"

// Refuses a folder with files of names that a run gives, but which are not known to be Sherd's:
// the run would write over them, or they would be taken for its own. Those of frames up to `last`
// are kept anyway and not asked for (-1: none). Changes nothing.
sherd_status sherd_former_files_check(const sherd_own_files *own, const char *folder, int64_t last,
                                      sherd_error *error);

// Removes Sherd's own files of frames after `last` (-1: of all), and with -1 what was made of all
// frames: tables, video, animation, lists. Files that can't be removed are reported when they can't be
// written.
void sherd_former_files_remove(const sherd_own_files *own, const char *folder, int64_t last);

// Removes what is in the way of files that are not replaced by renaming: a foreign run file, tables,
// checkpoints. For --overwrite.
void sherd_former_files_make_way(const sherd_own_files *own, const char *folder);
