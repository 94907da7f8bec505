// One fragment's mesh from its tetrahedra.
#pragma once

#include "geometry/tetra/tetra_mesh.h"
#include "surface/piece/piece.h"

// Faces of tetrahedra, as one frame has them.
enum {
    TETRA_JOINED = 0, // within a fragment
    TETRA_OUTER,      // on the body's boundary
    TETRA_INNER,      // towards another fragment
    TETRA_CRACK,      // its bond broke, both sides are of one fragment
};

typedef struct tetra_faces {
    const sherd_tetra_mesh *mesh;
    const sherd_tetra_topology *topology;
    const double *radius;           // of elements [m]
    const sherd_vec3 *outer_normal; // of the unbroken body, by vertex of the mesh; 0 inside
    uint8_t *state;                 // TETRA_..., (tetrahedra x 4)
    int32_t *place;                 // in the fragment's list of faces (tetrahedra x 4)
} tetra_faces;

// Makes mesh, bones and weights of `out` from the fragment's tetrahedra, ascending. Cracks that open
// nothing are joined again. Only faces of these tetrahedra are touched. `offset` is added to bones.
bool sherd_tetra_piece_build(piece *out, tetra_faces *faces, const int32_t *tetra, int32_t count,
                             int32_t offset);
