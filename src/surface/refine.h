// Finer inner faces.
#pragma once

#include <sherd/mesh.h>

// Halves edges between inner faces until none is longer than `longest`, passes over the mesh being at
// most REFINE_PASSES. What is done to an edge or triangle follows from its corners' positions alone, so
// the two sides of a crack stay the same; edges that outer faces have too are left whole. Texture
// coordinates, kinds of faces and the normals of former vertices are kept, new vertices have none yet.
// False when memory is short.
enum { REFINE_PASSES = 6 };
bool sherd_refine_inner(sherd_mesh *mesh, double longest);
