// Where a run's scene was read from: the mesh files and pictures that it names are relative to that.
#pragma once

#include "message.h"

// As the run recorded it. A relative path that leads nowhere from the working folder, which need not be the one that the
// run was made in, is looked for from the run's own folder up: PROJECT/scene.yaml for PROJECT/runs/one. `run` is a
// run folder, or a run file.
void scene_place(const char *run, const char *recorded, char path[MESSAGE_PATH]);
