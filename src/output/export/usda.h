// The pieces of an animation as text of Universal Scene Description (.usda).
#pragma once

#include "output/export/glb_build.h"

// A name that USD takes for a prim: letters, digits and _.
void sherd_usda_identifier(const char *name, char to[SHERD_USDA_NAME]);

// The prim of a material, at /run/materials/NAME.
void sherd_usda_put_material(sherd_byte_buffer *text, const sherd_glb_material *material,
                             const char *name);

// What stands between the braces of a mesh's prim. `names` are those of materials.
// False when memory is short.
bool sherd_usda_put_mesh(sherd_byte_buffer *text, const sherd_glb_mesh *mesh, double texture_size,
                         char (*names)[SHERD_USDA_NAME]);

int sherd_usda_add_points(sherd_glb *glb, const sherd_glb_points *points, sherd_error *error);

sherd_status sherd_usda_write(const sherd_glb *glb, const char *path, sherd_error *error);
