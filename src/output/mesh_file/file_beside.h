// Files that a model refers to, in its folder.
#pragma once

#include <stddef.h>

// The folder of `path`, and in it `name` of `size` bytes; backslashes count as slashes. Owned. NULL when memory is
// short, or the name is absolute or leads out of the folder.
char *sherd_path_beside(const char *path, const char *name, size_t size);
