// A format of exports: its description, the names of its files, and its writer. One row of
// formats.c, one file per format.
#pragma once

#include <sherd/replay.h>

// The makers of a file in a run folder.
typedef enum sherd_output_maker {
    MADE_BY_RUN,    // a new run replaces it
    MADE_BY_EXPORT, // stays until it is exported again
    MADE_IF_LISTED, // the same, and no version that kept no outputs.list made it
} sherd_output_maker;

// "frame_" and ".png": frame_000012.png, one for each frame; without `kind` one for all frames, and `what` is
// the name.
typedef struct sherd_format_file {
    const char *what, *kind;
    sherd_output_maker made_by;
} sherd_format_file;

struct sherd_format_job;

typedef struct sherd_format {
    sherd_export_format about;
    const sherd_format_file
        *files;          // ends with one whose `what` is NULL; in its folder, if `place` is one
    bool elements_alone; // a run makes it also of scenes with `surface: false`
    // In this order, each may be NULL. A run calls `frame` while frames are made, and `end` with its run file;
    // `begin` and `close` belong to exports.
    sherd_status (*begin)(struct sherd_format_job *job, sherd_error *error);
    sherd_status (*frame)(struct sherd_format_job *job, const sherd_run_frame *frame,
                          sherd_error *error);
    sherd_status (*end)(struct sherd_format_job *job, sherd_error *error);
    void (*close)(struct sherd_format_job *job);
} sherd_format;

int sherd_format_count(void);
const sherd_format *sherd_format_get(int index);

// A whole-run format's place is a file, the others' a folder.
static inline bool sherd_format_is_file(const sherd_format *format)
{
    return format->about.whole;
}
