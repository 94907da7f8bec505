// Names of the files that Sherd makes in a run folder beside run.sherd, and which of them are there.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

// Longer than any name that the system takes: one that is cut to this is refused by the system,
// it never becomes another file's.
enum { OUTPUT_PATH = 2 * PATH_MAX };

typedef enum output_maker {
    MADE_BY_RUN,    // a new run replaces it
    MADE_BY_EXPORT, // stays until it is exported again
} output_maker;

// FOLDER/frame_000012.png: of a frame; of all frames where `kind` is NULL, then `what` is the name.
typedef struct output_name {
    const char *folder; // NULL: the run folder itself
    const char *what, *kind;
    output_maker made_by;
} output_name;

extern const output_name OUTPUT_NAMES[];
extern const int OUTPUT_NAME_COUNT;

// The folders within the run folder, ends with NULL.
extern const char *const OUTPUT_FOLDERS[];

// Calls `visit` for every file that there is under one of the names, with its path, and the frame or
// -1. Until it returns false.
typedef bool output_visit(void *context, const output_name *name, const char *path, int64_t frame);
void output_names_visit(const char *folder, output_visit *visit, void *context);

// The name that a path relative to the run folder has, and its frame or -1. NULL: none of them.
const output_name *output_names_find(const char *relative, int64_t *frame);

// FOLDER/NAME
void output_path(const char *folder, const char *name, char path[OUTPUT_PATH]);

// Whether there is anything, be it a link that leads nowhere.
bool is_anything(const char *path);
