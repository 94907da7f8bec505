// Follows the run file that another process is writing.
#pragma once

#include "view/live.h"

// True if the run file has grown recently.
bool follow_is_written(const char *folder);
// True if the run file has all planned frames.
bool follow_is_whole(const char *folder);
// Shows each new frame until the run is complete, no frame has come for a long time, or the command
// ends.
void follow_run(live *l, const char *folder);
