// What Sherd wrote into a run folder, and from it elsewhere: FOLDER/outputs.list. Only a file that is
// on the list of a folder with a run, as large as it was written, may be removed or written over. A run folder without a
// list was made by an earlier version: there the names that it gave, up to the frames it planned, are
// Sherd's.
//
// A file is on the list before it is made, so that one from a process that was killed is known, too.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stdint.h>

#define OWN_FILES_LIST "outputs.list"

typedef struct sherd_own_files sherd_own_files;

// Reads the list of a folder, which need not exist. NULL with SHERD_ERROR_MEMORY.
sherd_own_files *sherd_own_files_open(const char *folder, sherd_error *error);
void sherd_own_files_close(sherd_own_files *own); // NULL is fine

// Makes the folder and keeps other runs out of it until closed, then reads the list again.
// SHERD_ERROR_IO while another process writes there.
sherd_status sherd_own_files_lock(sherd_own_files *own, sherd_error *error);

// Whether something else is in the list's place: then nothing is known to be Sherd's, and nothing is
// listed until `sherd_own_files_tidy` has written over it.
bool sherd_own_files_unreadable(const sherd_own_files *own);

// Whether something is there that is not known to be Sherd's: a file, a link, a folder.
bool sherd_own_files_foreign(const sherd_own_files *own, const char *path);

// Puts a file that is about to be made on the list, and tells its size when it is. Files that grow
// have no end. Without the lock, as of exports from a folder that may not be written to, a line that
// can't be written is left out: later the file will be taken for somebody else's.
sherd_status sherd_own_files_begin(sherd_own_files *own, const char *path, sherd_error *error);
sherd_status sherd_own_files_end(sherd_own_files *own, const char *path, sherd_error *error);

// Removes what killed processes left of files that were never finished: PATH.part.
void sherd_own_files_remove_parts(const sherd_own_files *own);

// Writes the list anew, without what is no longer there, or for the first time.
sherd_status sherd_own_files_tidy(sherd_own_files *own, sherd_error *error);
