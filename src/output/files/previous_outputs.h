// Output files of an earlier run, or of an earlier part of this one, in a run folder.
#pragma once

#include "output/files/output_list.h"
#include "output/files/output_names.h"

// Collects unknown files that would be overwritten, before anything is written.

typedef struct sherd_overwrite_check {
    const sherd_output_list *own;
    int64_t count;
    char first[OUTPUT_PATH];
} sherd_overwrite_check;

void sherd_overwrite_check_file(sherd_overwrite_check *w,
                                const char *path); // adds the file if it is foreign

// Checks a folder that Sherd will create. Adds it if it is a link or a file.
void sherd_overwrite_check_folder(sherd_overwrite_check *w, const char *path);

// SHERD_OK if there are none, else SHERD_ERROR_INPUT that names the first file and the options.
sherd_status sherd_overwrite_check_result(const sherd_overwrite_check *w, sherd_error *error);

// Fails if the folder contains files with names of Sherd's outputs that Sherd is not known to have
// written: the run would overwrite them, or they would be mistaken for outputs. Files of frames up
// to `last` are retained anyway and not checked (-1: none). Changes nothing.
sherd_status sherd_previous_outputs_check(const sherd_output_list *own, const char *folder,
                                          int64_t last, sherd_error *error);

// Removes Sherd's files of frames after `last` (-1: of all frames), and with -1 also the files of
// the whole run: tables, video, animation, lists. Does not report files that cannot be removed;
// writing them will fail later.
void sherd_previous_outputs_remove(const sherd_output_list *own, const char *folder, int64_t last);

// For --overwrite: removes unknown files that are not replaced by renaming (run file, tables,
// checkpoints).
void sherd_previous_outputs_make_way(const sherd_output_list *own, const char *folder);
