// The export of a run to one format, by `sherd export` or while the run is in progress.
#pragma once

#include "output/dust/dust.h"
#include "output/export/export_contacts.h"
#include "output/files/output_list.h"
#include "output/files/output_names.h"
#include "output/formats/formats.h"
#include "output/pictures/picture.h"

typedef struct sherd_format_job {
    const sherd_format *format;
    sherd_output_list *own;
    const char *path;   // file or folder to write
    const char *folder; // of the run
    const sherd_run_model *model;
    const sherd_scene *scene;    // NULL where the format needs none
    sherd_run *run;              // NULL in `frame` of a run in progress
    sherd_picture_maker *meshes; // meshes of the current frame; NULL: no meshes are needed
    const sherd_dust
        *dust; // grains up to the current frame, in formats with a file per frame; NULL: none
    sherd_replay_pose pose;
    int64_t first, last;
    int threads;
    void (*on_frame)(void *context, const char *what, int64_t frame, int64_t last); // or NULL
    void *context;
    void *state;                  // owned by the format, from `begin` to `close`
    sherd_csv_contacts *contacts; // frame_files.h; NULL: not started
    sherd_export_result *result;
    int64_t max_size; // largest size of formats that can be reduced [bytes]; 0: default
    sherd_replay_page page;
} sherd_format_job;

// The job's path with the extension of another file of the format: run.mtl beside run.obj.
void sherd_format_sibling_path(const sherd_format_job *job, const char *name,
                               char path[OUTPUT_PATH]);

// Writes a format made of all frames at once and lists its files. Files with a `kind` are pictures,
// which the format lists itself (picture_files.h).
sherd_status sherd_format_write_whole(sherd_format_job *job, sherd_error *error);
