// Notes for the user of a scene without errors.
#pragma once

#include "scene/read/reader.h"

// Adds "key.path: text" to the scene's notes. On lack of memory the arena is marked as failed.
void sherd_scene_note(sherd_scene_reader *reader, const sherd_node *node, const char *format, ...)
    SHERD_PRINTF(3, 4);

// The same of what may well be meant otherwise.
void sherd_scene_warn(sherd_scene_reader *reader, const sherd_node *node, const char *format, ...)
    SHERD_PRINTF(3, 4);

// A file's mesh as sherd_mesh_repair left it.
typedef struct sherd_mended_note {
    const char *file;
    int32_t triangles;
    double size; // diagonal [m]
} sherd_mended_note;

// What sherd_mesh_repair changed of a file's mesh, if it can matter: corners that were joined, and a
// mesh that was inside out as a whole, are no news.
void sherd_scene_note_mended(sherd_scene_reader *reader, const sherd_node *node,
                             const sherd_mended_note *mesh, const sherd_mesh_report *report);

// A mesh for which sherd_mesh_wrap made a new surface.
typedef struct sherd_wrap_note {
    const char *file, *faults; // faults: why it was made
    double element_radius;     // [m]; 0: not known
    const sherd_wrap_def *def;
} sherd_wrap_note;

// What was wrong, and how far the new surface lies from the old.
void sherd_scene_note_wrapped(sherd_scene_reader *reader, const sherd_node *node,
                              const sherd_wrap_note *note, const sherd_wrap_report *report);
