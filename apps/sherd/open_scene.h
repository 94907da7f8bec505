// Opens the scene that a command works on.
#pragma once

#include "message.h"
#include "options.h"

// The scene that the command line names, with its variant and settings. NULL, with the exit status
// in *code, after printing what is wrong.
sherd_scene *open_scene(const command_options *options, int *code);
// The same for the scene in `text`, whose meshes and pictures are relative to `place`, or with text
// NULL for that in the file `place`.
sherd_scene *open_scene_with(const char *place, const char *text,
                             const sherd_scene_options *options, int *code);
// The variant and the settings of the command line.
sherd_scene_options scene_options_of(const command_options *options);

// Finds the scene file of a run; mesh files and pictures in the scene are relative to it.
//
// Starts from the path that the run recorded. If a relative path does not exist in the working
// folder, searches the run's folder and its parents: PROJECT/scene.yaml for PROJECT/runs/one. `run`
// is a run folder or a run file.
void find_scene_path(const char *run, const char *recorded, char path[MESSAGE_PATH]);
