// Fragments' meshes from the faces of tetrahedra.                             [VBDEM] section 6
//
// A fragment's surface is made of the faces that its tetrahedra share with no other of it: those of
// the body's boundary are outer, those towards other fragments inner, and so are both sides of a face
// whose bond broke inside the fragment, where that opens a crack. Neighbours' faces are the same
// triangles, so both sides of a crack coincide.
//
// Each face is joined along each of its edges to the one that bounds the same wedge of solid; vertices
// are what faces so joined around a point have in common. That makes a closed 2-manifold of any set of
// tetrahedra, also of those that touch in an edge or a corner only.
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

// NULL with SHERD_ERROR_INPUT (tetrahedra that overlap) or SHERD_ERROR_MEMORY.
tetra_surface *sherd_tetra_surface_create(const tetra_surface_source *source,
                                          const sherd_parallel *parallel, sherd_error *error);
void sherd_tetra_surface_destroy(tetra_surface *s); // NULL is fine; not the pieces

// Brings the pieces up to date; they have no texture coordinates yet.
sherd_status sherd_tetra_surface_update(tetra_surface *s, const body_frame *frame,
                                        piece_array *pieces, const sherd_parallel *parallel,
                                        sherd_error *error);
