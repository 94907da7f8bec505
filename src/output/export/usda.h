// The pieces of an animation as text of Universal Scene Description (.usda).
#pragma once

#include "output/export/glb_build.h"

// A name that USD takes for a prim: letters, digits and _.
void sherd_usda_identifier(const char *name, char to[SHERD_USDA_NAME]);

// The prim of a material, at /run/materials/NAME.
void sherd_usda_put_material(sherd_byte_buffer *text, const sherd_glb_material *material,
                             const char *name);

// These return the mesh's number, or -1.
int sherd_usda_add_mesh(sherd_glb *glb, const sherd_glb_mesh *mesh, sherd_error *error);
int sherd_usda_add_points(sherd_glb *glb, const sherd_glb_points *points, sherd_error *error);

// An empty draft for what stands between the braces of a mesh's prim.
sherd_byte_buffer *sherd_usda_draft(sherd_glb *glb);
// Takes the draft as the next mesh.
int sherd_usda_end_mesh(sherd_glb *glb, bool is_points, sherd_error *error);

sherd_status sherd_usda_write(sherd_glb *glb, const char *path, sherd_error *error);
