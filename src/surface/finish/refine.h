// Subdivision of inner faces.
#pragma once

#include <sherd/mesh.h>

// Cuts inner faces along the planes of a lattice (rough_lattice.h) until each triangle lies in one
// tetrahedron, with at most REFINE_PASSES passes over the mesh for each family of planes. How an
// edge or triangle is cut depends only on the positions of its corners, so the two sides of a crack
// stay identical. Of outer faces only edges shared with inner faces are cut; their vertices do not
// move. Texture coordinates, face kinds and normals are interpolated. Returns false when out of
// memory.
enum { REFINE_PASSES = 12 };
bool sherd_refine_inner(sherd_mesh *mesh, double cell);
