// Files of `sherd new`.
#pragma once

#include "options.h"

// Writes a new file; never overwrites one. Returns an exit status.
int new_file_write(const char *path, const char *text);
// 0 if there is no file of this name, otherwise the exit status of an error.
int new_file_refuse(const char *path);

// A scene from options->mesh (shell/new_mesh.h). Returns an exit status.
int new_mesh_scene(const command_options *options, const char *path, const char *name);
