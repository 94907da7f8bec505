// An export format: its description, the names of its files and its functions. One row of formats.c
// and one sherd_format_WORD in animation_formats.c or frame_formats.c per format.
#pragma once

#include <sherd/replay.h>

// Who creates a file in a run folder.
typedef enum sherd_output_maker {
    MADE_BY_RUN,    // a new run replaces it
    MADE_BY_EXPORT, // retained until it is exported again
    MADE_IF_LISTED, // the same, but versions without outputs.list did not write it
} sherd_output_maker;

// Names "frame_" and ".png": one file frame_000012.png per frame. If `kind` is NULL: one file named
// `what` for all frames.
typedef struct sherd_format_file {
    const char *what, *kind;
    sherd_output_maker made_by;
} sherd_format_file;

struct sherd_format_job;

typedef struct sherd_format {
    sherd_export_format about;
    const sherd_format_file
        *files; // terminated by a row whose `what` is NULL; in the format's folder if it has one
    bool elements_alone; // a run also writes it for scenes with `surface: false`
    // Called in this order; each may be NULL. A run calls `frame` for each frame and `end` at its
    // end; only exports call `begin` and `close`.
    sherd_status (*begin)(struct sherd_format_job *job, sherd_error *error);
    sherd_status (*frame)(struct sherd_format_job *job, const sherd_run_frame *frame,
                          sherd_error *error);
    sherd_status (*end)(struct sherd_format_job *job, sherd_error *error);
    void (*close)(struct sherd_format_job *job);
} sherd_format;

int sherd_format_count(void);
const sherd_format *sherd_format_get(int index);

// The output of a whole-run format is a file; that of other formats is a folder.
static inline bool sherd_format_is_file(const sherd_format *format)
{
    return format->about.whole;
}
