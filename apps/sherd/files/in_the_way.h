// Files that would be written over and are not known to be Sherd's, counted before anything is
// written.
#pragma once

#include "files/output_names.h"
#include "files/own_files.h"

typedef struct in_the_way {
    const own_files *own;
    int64_t count;
    char first[OUTPUT_PATH];
} in_the_way;

void in_the_way_add(in_the_way *w, const char *path);
void in_the_way_look(in_the_way *w, const char *path); // adds it when it is foreign

// A folder of our making: a link would lead elsewhere, a file takes its place. Adds it when it is one.
void in_the_way_look_at_folder(in_the_way *w, const char *path);

// SHERD_OK when there are none, else SHERD_ERROR_INPUT with the first and what can be done.
sherd_status in_the_way_result(const in_the_way *w, sherd_error *error);
