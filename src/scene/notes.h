// Notes for the user of a scene without errors.
#pragma once

#include "scene/read/reader.h"

// Adds "key.path: text" to the scene's notes. On lack of memory the arena is marked as failed.
void sherd_scene_note(sherd_scene_reader *reader, const sherd_node *node, const char *format, ...)
    SHERD_PRINTF(3, 4);

// What sherd_mesh_repair changed of a file's mesh, if it can matter: corners that were joined, and a
// mesh that was inside out as a whole, are no news. `triangles` is how many it has now.
void sherd_scene_note_mended(sherd_scene_reader *reader, const sherd_node *node, const char *file,
                             const sherd_mesh_report *report, int32_t triangles);
