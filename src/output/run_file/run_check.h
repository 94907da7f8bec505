// Checks of a run file before resuming and exporting: whether it is one, and what is damaged.
#pragma once

#include <sherd/run_file.h>

// State of a folder's run.sherd, from its first bytes.
typedef enum sherd_run_presence {
    SHERD_RUN_ABSENT,  // there is none, or an empty file
    SHERD_RUN_FOREIGN, // not a run file, not readable, or a link
    SHERD_RUN_PRESENT, // a run of any version, possibly damaged further on
} sherd_run_presence;

sherd_run_presence sherd_run_find(const char *folder);

// Checks a frame's checksums; in old formats also those of the earlier frames that it depends on.
// SHERD_ERROR_INPUT if damaged, with the location. Fastest in ascending order.
sherd_status sherd_run_check_frame(sherd_run *run, int64_t index, sherd_error *error);

// True if frames can be read without the earlier ones. Old formats need the bonds that broke in all
// of them.
bool sherd_run_frames_stand_alone(const sherd_run *run);

// True if the sections of bonds were written but are damaged: model.bond_section is then NULL.
bool sherd_run_sections_damaged(const sherd_run *run);

// Finds the frames that were appended to an open run since, by the process that makes the run.
sherd_status sherd_run_extend(sherd_run *run, sherd_error *error);
