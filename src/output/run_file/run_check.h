// What a run file is, and what of it is damaged: what resuming and exporting ask before they read.
#pragma once

#include <sherd/run_file.h>

// Kind of a folder's run.sherd, by its first bytes.
typedef enum sherd_run_presence {
    SHERD_RUN_ABSENT,  // there is none, or an empty file
    SHERD_RUN_FOREIGN, // it is not a run file, or can't be read, or is a link
    SHERD_RUN_PRESENT, // a run of any version, which may be damaged further on
} sherd_run_presence;

sherd_run_presence sherd_run_find(const char *folder);

// Whether a frame's bytes are what was written, by their checksums; in files of former versions also
// those of the frames before it that it needs. SHERD_ERROR_INPUT: they are damaged, `what` says where.
// Ascending order is fastest.
sherd_status sherd_run_check_frame(sherd_run *run, int64_t index, sherd_error *error);

// Whether a frame can be read when others before it are damaged: not in files of former versions, where
// it needs the bonds that broke in all of them.
bool sherd_run_frames_stand_alone(const sherd_run *run);

// Whether the sections of bonds were written but can't be read: model.bond_section is then NULL.
bool sherd_run_sections_damaged(const sherd_run *run);
