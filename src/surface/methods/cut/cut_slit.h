// Opening cracks that end inside a fragment.
//
// Faces with the fragment on both sides are in its mesh twice, once each way, with the same vertices.
// Around every edge faces are paired so that each pair encloses a wedge of the solid; vertices are then
// shared only among faces that such pairs connect. The two sides of a crack come apart but for its tip,
// and the mesh is a closed 2-manifold however often the crack forks or meets itself.
//
// At the tip sides share their vertices. Faces with an edge from tip to tip, which could not open, are
// left out first: they would make two edges between the same vertices.
#pragma once

#include <sherd/mesh.h>

typedef struct slit_drawing {
    double half_gap; // that each side moves [m]
    double least;    // smaller cracks (cut_speck.h) are not drawn [m]
} slit_drawing;

// `mesh` has vertices, triangles, kinds of faces and zeroed normals; sides of a face follow each other
// in it. `slit` tells triangles of cracks, whose sides are moved apart, and `side` (both by triangle) goes
// along with triangles when some are left out. False when memory is short.
bool sherd_cut_open_slits(sherd_mesh *mesh, uint8_t *slit, int32_t *side, const slit_drawing *how);
