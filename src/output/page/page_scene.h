// The page's description of a run, as JSON: names, colours, bounds, what sections hold; and obstacles.
#pragma once

#include "output/page/page_run.h"

// Sections `about`, `obstacles` (poses) and `shapes` (meshes of obstacles and of drivers' regions).
sherd_status sherd_page_scene(sherd_page_run *page, sherd_error *error);
