// The page of a run, made for being served.
#pragma once

#include "view/live.h"

// Of the run in `folder`, by way of a file in the folder `place`. 0, or the exit status after having said
// what is wrong.
int view_page_make(live *l, const char *folder, const char *place, const sherd_scene *scene,
                   int threads);

// A folder of files that were made here.
void view_page_remove(const char *place);
