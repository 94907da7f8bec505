// Tables and figures that `calibrate` and `bench` write to a folder chosen by the user. Foreign
// files of the same names are not overwritten unless --overwrite is given.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>

typedef struct result_file {
    const char *name;
    const char *first; // first bytes of every such file; NULL: a table, which its writer checks
} result_file;

// Call before computing. SHERD_ERROR_INPUT that names the first foreign file; with `overwrite`
// foreign files and links are removed, but not folders.
sherd_status result_files_make_way(const char *folder, const result_file *files, int count,
                                   bool overwrite, sherd_error *error);
