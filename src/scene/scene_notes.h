// Notes for the user on a scene without errors.
#pragma once

#include "scene/read/reader.h"

// Adds "key.path: text" to the scene's notes. If memory is short, the arena is marked as failed.
void sherd_scene_note(sherd_scene_reader *reader, const sherd_node *node, const char *format, ...)
    SHERD_PRINTF(3, 4);

// The same for a warning: a probable mistake.
void sherd_scene_warn(sherd_scene_reader *reader, const sherd_node *node, const char *format, ...)
    SHERD_PRINTF(3, 4);

// A file's mesh after sherd_mesh_repair.
typedef struct sherd_repair_note {
    const char *file;
    int32_t triangles;
    double size; // diagonal [m]
} sherd_repair_note;

// Notes the changes by sherd_mesh_repair to a file's mesh that can matter; merged corners, and a
// mesh reversed as a whole, are not reported.
void sherd_scene_note_repaired(sherd_scene_reader *reader, const sherd_node *node,
                               const sherd_repair_note *mesh, const sherd_mesh_report *report);

// A mesh that sherd_mesh_wrap replaced by a new surface.
typedef struct sherd_wrap_note {
    const char *file, *faults; // faults: the reason
    double element_radius;     // [m]; 0: not known
    const sherd_wrap_def *def;
} sherd_wrap_note;

// Notes the faults, and the distance of the new surface from the old one.
void sherd_scene_note_wrapped(sherd_scene_reader *reader, const sherd_node *node,
                              const sherd_wrap_note *note, const sherd_wrap_report *report);
