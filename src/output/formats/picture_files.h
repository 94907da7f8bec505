// Pictures of materials and of a mesh's material groups beside an export: run_picture_000000.png beside run.obj, in the folder that its
// materials look in.
#pragma once

#include "output/formats/format_job.h"

// Rows of a format's list of files.
#define SHERD_PICTURE_FILES                                                                        \
    {"run_picture_", ".png", MADE_IF_LISTED},                                                      \
    {                                                                                              \
        "run_picture_", ".jpg", MADE_IF_LISTED                                                     \
    }

// Materials and groups of the scene (may be NULL) that have a picture; no export writes more files.
int sherd_picture_files_most(const sherd_scene *scene);

// Of file `index` as the job's place names it: STEM_picture_000000KIND.
void sherd_picture_files_path(const sherd_format_job *job, int index, const char *kind,
                              char path[OUTPUT_PATH]);

// Those that one export has written.
typedef struct sherd_picture_files {
    const sherd_format_job *job;
    const sherd_texture_image **written;
    int count;
    size_t capacity;
} sherd_picture_files;

void sherd_picture_files_release(sherd_picture_files *files);

// Writes the picture unless it has been, and gives its name without the folder.
sherd_status sherd_picture_files_add(sherd_picture_files *files, const sherd_texture_image *picture,
                                     char name[OUTPUT_PATH], sherd_error *error);
