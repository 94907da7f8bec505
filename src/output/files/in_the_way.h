// Files that would be written over and are not known to be Sherd's, counted before anything is
// written.
#pragma once

#include "output/files/output_names.h"
#include "output/files/own_files.h"

typedef struct sherd_in_the_way {
    const sherd_own_files *own;
    int64_t count;
    char first[OUTPUT_PATH];
} sherd_in_the_way;

void sherd_in_the_way_add(sherd_in_the_way *w, const char *path);
void sherd_in_the_way_look(sherd_in_the_way *w, const char *path); // adds it when it is foreign

// A folder of our making: a link would lead elsewhere, a file takes its place. Adds it when it is one.
void sherd_in_the_way_look_at_folder(sherd_in_the_way *w, const char *path);

// SHERD_OK when there are none, else SHERD_ERROR_INPUT with the first and what can be done.
sherd_status sherd_in_the_way_result(const sherd_in_the_way *w, sherd_error *error);
