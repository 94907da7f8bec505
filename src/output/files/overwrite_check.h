// Collects unknown files that would be overwritten, before anything is written.
#pragma once

#include "output/files/output_list.h"
#include "output/files/output_names.h"

typedef struct sherd_overwrite_check {
    const sherd_output_list *own;
    int64_t count;
    char first[OUTPUT_PATH];
} sherd_overwrite_check;

void sherd_in_the_way_add(sherd_overwrite_check *w, const char *path);
void sherd_overwrite_check_file(sherd_overwrite_check *w,
                                const char *path); // adds the file if it is foreign

// Checks a folder that Sherd will create. Adds it if it is a link or a file.
void sherd_overwrite_check_folder(sherd_overwrite_check *w, const char *path);

// SHERD_OK if there are none, else SHERD_ERROR_INPUT that names the first file and the options.
sherd_status sherd_overwrite_check_result(const sherd_overwrite_check *w, sherd_error *error);
