// Tables and figures that `calibrate` and `bench` write into a folder of the user's choice. What is
// there under one of their names without being one of theirs stays, unless --overwrite was given.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>

typedef struct result_file {
    const char *name;
    const char *first; // how every such file begins; NULL: a table, whose writer looks itself
} result_file;

// Before anything is computed. SHERD_ERROR_INPUT with the first that is in the way; with `overwrite`
// whatever is in the way is removed, be it a link, but no folder.
sherd_status result_files_make_way(const char *folder, const result_file *files, int count,
                                   bool overwrite, sherd_error *error);
