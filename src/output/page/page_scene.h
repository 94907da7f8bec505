// The page's description of a run as JSON: names, colours, bounds, layouts of sections; and
// obstacles.
#pragma once

#include "output/page/page_run.h"

// Sections `about`, `obstacles` (poses) and `shapes` (meshes of obstacles and of drivers' regions).
sherd_status sherd_page_scene(sherd_page_run *page, sherd_error *error);

// Parts of it: the list of bodies with linear colours; the list of obstacles, whose meshes are
// stored consecutively in `shapes`: vertices (x, y, z, 4-byte floats), then triangles (4-byte
// integers).
void sherd_page_scene_bodies(sherd_byte_buffer *json, const sherd_page_run *page);
sherd_status sherd_page_scene_obstacles(sherd_byte_buffer *json, sherd_byte_buffer *shapes,
                                        const sherd_page_run *page, sherd_error *error);
// Lists `times` of frames [s] and `fragments`, their numbers of fragments.
void sherd_page_scene_times(sherd_byte_buffer *json, const sherd_page_run *page);
