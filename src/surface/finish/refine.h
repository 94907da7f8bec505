// Finer inner faces.
#pragma once

#include <sherd/mesh.h>

// Cuts inner faces along the planes of a lattice (rough_lattice.h) until each lies in one tetrahedron,
// passes over the mesh being at most REFINE_PASSES per family of planes. What is done to an edge or
// triangle follows from its corners' positions alone, so the two sides of a crack stay the same. Of outer
// faces only edges that inner faces have too are cut, and stay where they are. Texture coordinates, kinds
// of faces and normals are kept and interpolated. False when memory is short.
enum { REFINE_PASSES = 12 };
bool sherd_refine_inner(sherd_mesh *mesh, double cell);
