// A run that another process is writing, followed by its file.
#pragma once

#include "view/live.h"

// Whether its run file has grown lately.
bool follow_is_written(const char *folder);
// Whether it has all frames that it planned.
bool follow_is_whole(const char *folder);
// Shows each new frame until the run has all of them, nothing has come for long, or the command ends.
void follow_run(live *l, const char *folder);
