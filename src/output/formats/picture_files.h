// Texture files of an export, for materials and material groups: run_picture_000000.png beside
// run.obj.
#pragma once

#include "output/formats/format_job.h"

// Rows of a format's list of files.
#define SHERD_PICTURE_FILES                                                                        \
    {"run_picture_", ".png", MADE_IF_LISTED},                                                      \
    {                                                                                              \
        "run_picture_", ".jpg", MADE_IF_LISTED                                                     \
    }

// Number of materials and groups of the scene (may be NULL) with a picture: an upper bound of the
// number of files.
int sherd_picture_files_most(const sherd_scene *scene);

// Path of file `index`: STEM_picture_000000KIND.
void sherd_picture_files_path(const sherd_format_job *job, int index, const char *kind,
                              char path[OUTPUT_PATH]);

// Pictures that one export has written.
typedef struct sherd_picture_files {
    const sherd_format_job *job;
    const sherd_texture_image **written;
    int count;
    size_t capacity;
} sherd_picture_files;

void sherd_picture_files_release(sherd_picture_files *files);

// Writes the picture unless it was already written, and returns its file name.
sherd_status sherd_picture_files_add(sherd_picture_files *files, const sherd_texture_image *picture,
                                     char name[OUTPUT_PATH], sherd_error *error);
