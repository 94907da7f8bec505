// What an earlier run, or an earlier part of this one, left in the folder: pictures and meshes of
// frames that are about to be made anew, or never again.
#pragma once

#include <stdint.h>

// Removes files of frames after `last` (-1: of all), and with -1 what was made of all frames: video,
// animation, lists. Names that `sherd run` doesn't give stay. What can't be removed will be told when
// it can't be written.
void former_files_remove(const char *folder, int64_t last);
