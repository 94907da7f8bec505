// Names of the files that Sherd writes to a run folder beside run.sherd.
#pragma once

#include "output/formats/formats.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

// Longer than any path that the system accepts, so a truncated path is refused and cannot name
// another file.
enum { OUTPUT_PATH = 2 * PATH_MAX };

// One file per frame, FOLDER/frame_000012.png; if `kind` is NULL one file for all frames, named
// `what`.
typedef struct sherd_output_name {
    const char *folder; // NULL: the run folder itself
    const char *what, *kind;
    sherd_output_maker made_by;
} sherd_output_name;

// The name of index k: first those of the run, then those of each format. False if k is too large.
bool sherd_output_name_at(int k, sherd_output_name *name);

// The k-th folder within the run folder, possibly repeated; NULL after the last.
const char *sherd_output_folder_at(int k);

// Calls `visit` with each existing file of these names, its path and its frame (or -1), until it
// returns false.
typedef bool sherd_output_visit(void *context, const sherd_output_name *name, const char *path,
                                int64_t frame);
void sherd_output_names_visit(const char *folder, sherd_output_visit *visit, void *context);

// True if a path relative to the run folder has one of the names; gives its frame or -1.
bool sherd_output_names_find(const char *relative, int64_t *frame);

// FOLDER/NAME
void sherd_output_path(const char *folder, const char *name, char path[OUTPUT_PATH]);

// True if the path exists, also as a broken link.
bool sherd_is_anything(const char *path);
