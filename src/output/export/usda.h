// Writes an animation as text of Universal Scene Description (.usda).
#pragma once

#include "animation/animation.h"
#include "base/byte_buffer.h"

enum { SHERD_USDA_NAME = 80 };

// The text of a mesh or a cloud of points: a range of the file's spool.
typedef struct sherd_usda_text {
    int64_t offset, size;
    bool is_points;
} sherd_usda_text;

// A .usda that is being written.
typedef struct sherd_usda_file {
    sherd_byte_buffer materials;
    sherd_byte_buffer draft;                 // text of the mesh that is being added
    sherd_spool text;                        // of meshes
    sherd_usda_text *meshes;                 // (mesh_count)
    char (*material_names)[SHERD_USDA_NAME]; // of prims (material_count)
    size_t mesh_count, mesh_capacity, name_capacity;
} sherd_usda_file;

extern const sherd_animation_writer sherd_usda_writer;

// A valid name of a USD prim: letters, digits and _.
void sherd_usda_identifier(const char *name, char to[SHERD_USDA_NAME]);

sherd_status sherd_usda_add_material(sherd_animation *animation,
                                     const sherd_animation_material *material, sherd_error *error);
sherd_status sherd_usda_add_mesh(sherd_animation *animation, const sherd_animation_mesh *mesh,
                                 sherd_error *error);
sherd_status sherd_usda_add_points(sherd_animation *animation, const sherd_animation_points *points,
                                   sherd_error *error);

// An empty buffer for the body of a mesh's prim.
sherd_byte_buffer *sherd_usda_draft(sherd_usda_file *usda);
// Adds the buffer's text as the next mesh.
sherd_status sherd_usda_end_mesh(sherd_usda_file *usda, bool is_points, sherd_error *error);
