// The list of files that Sherd wrote to a run folder, and elsewhere for its run:
// FOLDER/outputs.list. Sherd removes or overwrites a file only if the list has it with its present
// size and the folder contains a run. Run folders of earlier versions have no list: there, files
// with the names of outputs, up to the number of planned frames, count as Sherd's.
//
// A file is added to the list before it is created, so files of killed processes are known, too.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stdint.h>

#define OWN_FILES_LIST "outputs.list"

typedef struct sherd_output_list sherd_output_list;

// Reads the list of a folder, which need not exist. NULL with SHERD_ERROR_MEMORY.
sherd_output_list *sherd_output_list_open(const char *folder, sherd_error *error);
void sherd_output_list_close(sherd_output_list *own); // NULL is fine

// Creates the folder and locks it against other runs until closed, then reads the list again.
// SHERD_ERROR_IO if another process has the lock.
sherd_status sherd_output_list_lock(sherd_output_list *own, sherd_error *error);

// True if outputs.list is not a valid list. Then no file is known to be Sherd's, and nothing is
// listed until sherd_output_list_tidy replaces it.
bool sherd_output_list_unreadable(const sherd_output_list *own);

// True if the path exists (a file, link or folder) and is not known to be Sherd's.
bool sherd_output_list_foreign(const sherd_output_list *own, const char *path);

// Adds a file to the list before it is created, and its size when it is finished. Files that grow
// never finish. Without the lock (export from a read-only folder), failures to write the list are
// ignored; the file will later count as foreign.
sherd_status sherd_output_list_begin(sherd_output_list *own, const char *path, sherd_error *error);
sherd_status sherd_output_list_end(sherd_output_list *own, const char *path, sherd_error *error);

// Removes unfinished files (PATH.part) of killed processes.
void sherd_output_list_remove_parts(const sherd_output_list *own);

// Rewrites the list without files that no longer exist, or creates it.
sherd_status sherd_output_list_tidy(sherd_output_list *own, sherd_error *error);
