// Triangulated sheets, open or closed, and tests whether a segment crosses any of their triangles.
#pragma once

#include "geometry/bvh.h"

#include <sherd/mesh.h>

typedef struct sherd_cut_sheet {
    sherd_bvh bvh;            // over the triangles
    sherd_vec3 (*corners)[3]; // (triangles)
} sherd_cut_sheet;

// The mesh is copied; its arrays must be valid. Returns false if memory runs short; release it in
// any case.
bool sherd_cut_sheet_init(sherd_cut_sheet *sheet, const sherd_mesh *mesh);
void sherd_cut_sheet_release(sherd_cut_sheet *sheet);

// Edges belong to all of their triangles, so that no segment passes between two of them.
bool sherd_cut_sheet_is_crossed(const sherd_cut_sheet *sheet, sherd_vec3 from, sherd_vec3 to);
