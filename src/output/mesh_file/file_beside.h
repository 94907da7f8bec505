// Files that a model refers to, in its folder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The folder of `path`, and in it `name` of `size` bytes; backslashes count as slashes. Owned. NULL when memory is
// short, or the name is absolute or leads out of the folder.
char *sherd_path_beside(const char *path, const char *name, size_t size);

// Whether `path` (NULL: no) is a file, no device, pipe or folder; and which one, whatever it is called.
bool sherd_is_regular_file(const char *path, uint64_t *device, uint64_t *number);
