// Makes the page of a run for the server.
#pragma once

#include "view/live.h"

// Exports the page of the run in `folder` through a file in the folder `place`. Returns 0, or the
// exit status after printing an error.
int view_page_make(live *l, const char *folder, const char *place, const sherd_scene *scene,
                   int threads);

// Removes a folder and the files created there.
void view_page_remove(const char *place);
