// Collects unknown files that would be overwritten, before anything is written.
#pragma once

#include "output/files/output_list.h"
#include "output/files/output_names.h"

typedef struct sherd_in_the_way {
    const sherd_own_files *own;
    int64_t count;
    char first[OUTPUT_PATH];
} sherd_in_the_way;

void sherd_in_the_way_add(sherd_in_the_way *w, const char *path);
void sherd_in_the_way_look(sherd_in_the_way *w, const char *path); // adds the file if it is foreign

// Checks a folder that Sherd will create. Adds it if it is a link or a file.
void sherd_in_the_way_look_at_folder(sherd_in_the_way *w, const char *path);

// SHERD_OK if there are none, else SHERD_ERROR_INPUT that names the first file and the options.
sherd_status sherd_in_the_way_result(const sherd_in_the_way *w, sherd_error *error);
