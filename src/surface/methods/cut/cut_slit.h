// Opens cracks that end inside a fragment.
//
// A face with the fragment on both sides occurs twice in its mesh, once in each orientation, with
// the same vertices. Around every edge, faces are paired so that each pair encloses a wedge of the
// solid; only faces connected by such pairs share vertices. The two sides of a crack separate
// except at its tip, and the mesh is a closed 2-manifold however the crack branches or intersects
// itself.
//
// At the tip both sides share their vertices. Faces with an edge between two tip vertices cannot
// open and are removed first: they would create two edges between the same vertices.
#pragma once

#include <sherd/mesh.h>

typedef struct slit_drawing {
    double half_gap;   // distance by which each side moves [m]
    double min_length; // minimum size: smaller cracks are not drawn [m]
} slit_drawing;

// `mesh` has vertices, triangles, face kinds and zeroed normals; both sides of a face are adjacent
// in it. `slit` marks crack triangles, whose sides are moved apart. `side` (both arrays by
// triangle) is compacted with the triangles if some are removed. Returns false when out of memory.
bool sherd_crack_open(sherd_mesh *mesh, uint8_t *slit, int32_t *side, const slit_drawing *how);
