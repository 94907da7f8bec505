// Names of the files that Sherd makes in a run folder beside run.sherd, and which of them are there.
#pragma once

#include "output/formats/formats.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

// Longer than any name that the system takes: one that is cut to this is refused by the system,
// it never becomes another file's.
enum { OUTPUT_PATH = 2 * PATH_MAX };

// FOLDER/frame_000012.png: of a frame; of all frames where `kind` is NULL, then `what` is the name.
typedef struct sherd_output_name {
    const char *folder; // NULL: the run folder itself
    const char *what, *kind;
    sherd_output_maker made_by;
} sherd_output_name;

// The name of index k, those of every format behind those of the run itself; false: there are no more.
bool sherd_output_name_at(int k, sherd_output_name *name);

// The folders within the run folder, each once or more often; NULL behind the last.
const char *sherd_output_folder_at(int k);

// Calls `visit` for every file that there is under one of the names, with its path, and the frame or
// -1. Until it returns false.
typedef bool sherd_output_visit(void *context, const sherd_output_name *name, const char *path,
                                int64_t frame);
void sherd_output_names_visit(const char *folder, sherd_output_visit *visit, void *context);

// Whether a path relative to the run folder has one of the names, and its frame or -1.
bool sherd_output_names_find(const char *relative, int64_t *frame);

// FOLDER/NAME
void sherd_output_path(const char *folder, const char *name, char path[OUTPUT_PATH]);

// Whether there is anything, be it a link that leads nowhere.
bool sherd_is_anything(const char *path);
