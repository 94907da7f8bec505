// Fragments' meshes from the faces of tetrahedra.                             [VBDEM] section 6
//
// A fragment's surface consists of the faces of its tetrahedra that no other of its tetrahedra
// shares: faces on the body's boundary are outer, faces towards other fragments are inner, and so
// are both sides of a face whose bond broke inside the fragment, if that opens a crack. Neighbours
// have the same triangles, so both sides of a crack coincide.
//
// Each face is joined along each of its edges to the face that bounds the same wedge of solid;
// faces joined around a point share a vertex. The result is a closed 2-manifold for any set of
// tetrahedra, even if they touch only in an edge or a corner.
#pragma once

#include "geometry/tetra/tetra_mesh.h"
#include "surface/surface_maker.h"

typedef struct tetra_surface tetra_surface;

typedef struct tetra_surface_source {
    int body;                     // index into the surface's bodies
    const sherd_tetra_mesh *mesh; // tetrahedron k is the body's element k; borrowed
    const double *radius;         // of the body's elements [m]; borrowed
    sherd_element_index first;    // of the body's elements
    sherd_bond_index bond_count;  // of all bodies
    const sherd_element_index *bond_i, *bond_j;
} tetra_surface_source;

// Returns NULL with SHERD_ERROR_INPUT (tetrahedra that overlap) or SHERD_ERROR_MEMORY.
tetra_surface *sherd_tetra_surface_create(const tetra_surface_source *source,
                                          const sherd_parallel *parallel, sherd_error *error);
void sherd_tetra_surface_destroy(tetra_surface *s); // NULL is allowed; does not free the pieces

// Updates the pieces; they have no texture coordinates yet.
sherd_status sherd_tetra_surface_update(tetra_surface *s, const body_frame *frame,
                                        piece_array *pieces, const sherd_parallel *parallel,
                                        sherd_error *error);
