// Finds the scene file of a run; mesh files and pictures in the scene are relative to it.
#pragma once

#include "message.h"

// Starts from the path that the run recorded. If a relative path does not exist in the working
// folder, searches the run's folder and its parents: PROJECT/scene.yaml for PROJECT/runs/one. `run`
// is a run folder or a run file.
void find_scene_path(const char *run, const char *recorded, char path[MESSAGE_PATH]);
