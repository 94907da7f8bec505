// Builds one fragment's mesh from its tetrahedra.
#pragma once

#include "geometry/tetra/tetra_mesh.h"
#include "surface/piece/piece.h"

// State of the tetrahedra's faces in one frame.
enum {
    TETRA_JOINED = 0, // inside a fragment
    TETRA_OUTER,      // on the body's boundary
    TETRA_INNER,      // between two fragments
    TETRA_CRACK,      // the bond is broken, both sides belong to one fragment
};

typedef struct tetra_faces {
    const sherd_tetra_mesh *mesh;
    const sherd_tetra_topology *topology;
    const double *radius; // of elements [m]
    // Of the unbroken body, by vertex of the tetrahedral mesh; 0 inside.
    const sherd_vec3 *outer_normal;
    uint8_t *state;      // TETRA_..., (tetrahedra x 4)
    int32_t *face_index; // index in the fragment's list of faces (tetrahedra x 4)
} tetra_faces;

// Builds mesh, bones and weights of `out` from the fragment's tetrahedra, ascending. Cracks that
// cannot open are closed again. Only faces of these tetrahedra are modified. `offset` is added to
// bone indices.
bool sherd_tetra_piece_build(piece *out, tetra_faces *faces, const int32_t *tetra, int32_t count,
                             int32_t offset);
