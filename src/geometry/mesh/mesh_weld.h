// First steps of repair: merges vertices at the same position, removes empty and duplicate
// triangles.
#pragma once

#include <sherd/mesh.h>

// Each returns the number of changes, or -1 when out of memory.
int32_t sherd_mesh_drop_unused(sherd_mesh *mesh);            // vertices of no triangle
int32_t sherd_mesh_weld(sherd_mesh *mesh, double tolerance); // vertices merged
int32_t sherd_mesh_drop_degenerate(sherd_mesh *mesh);        // triangles with two equal corners
int32_t sherd_mesh_drop_duplicates(sherd_mesh *mesh);        // triangles with the same corners
