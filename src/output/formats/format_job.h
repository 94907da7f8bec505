// One format being written: by an export, or by a run in progress.
#pragma once

#include "output/dust/dust.h"
#include "output/export/export_contacts.h"
#include "output/files/output_names.h"
#include "output/files/own_files.h"
#include "output/formats/formats.h"
#include "output/pictures/picture.h"

typedef struct sherd_format_job {
    const sherd_format *format;
    sherd_own_files *own;
    const char *place;  // the file or folder to write
    const char *folder; // of the run
    const sherd_run_model *model;
    const sherd_scene *scene;    // NULL where the format needs none
    sherd_run *run;              // NULL in `frame` of a run in progress
    sherd_picture_maker *meshes; // stands at the frame; NULL: no meshes are asked for
    const sherd_dust *dust;      // the same, in formats of a file per frame; NULL: none
    sherd_replay_pose pose;
    int64_t first, last;
    int threads;
    void (*on_frame)(void *context, const char *what, int64_t frame, int64_t last); // or NULL
    void *context;
    void *state;                  // of the format's, from `begin` to `close`
    sherd_csv_contacts *contacts; // contact_files.h; NULL: not begun
    sherd_export_result *result;
    int64_t max_size; // of formats that can be made smaller [bytes]; 0: their own
    sherd_replay_page page;
} sherd_format_job;

// The job's place with the ending of another of the format's files: run.mtl beside run.obj.
void sherd_format_beside(const sherd_format_job *job, const char *name, char path[OUTPUT_PATH]);

// A format made of all frames at once: its files go on the list, and are written. Those of a kind are pictures, which
// it lists itself (picture_files.h).
sherd_status sherd_format_write_whole(sherd_format_job *job, sherd_error *error);
