// Files that a model file refers to, in the same folder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The path of file `name` of `size` bytes in the folder of `path`; backslashes count as slashes.
// Owned. NULL if memory is short, or if the name is absolute or leaves the folder.
char *sherd_sibling_path(const char *path, const char *name, size_t size);

// True if `path` (may be NULL) is a regular file; gives its device and inode, which identify it
// under any name.
bool sherd_is_regular_file(const char *path, uint64_t *device, uint64_t *number);
