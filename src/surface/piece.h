// One fragment's finished mesh.
#pragma once

#include "surface/place.h"

typedef struct piece {
    sherd_fragment_id fragment;
    int body;
    sherd_element_index element_count;
    uint64_t version;
    uint64_t fingerprint; // of the mesh, to tell whether a rebuilt one is the same
    sherd_mesh *mesh;
    sherd_element_index *bones;
    float *weights;
} piece;

// Finishes a shell: positions, normals, kinds of faces, skin. `first` is the fragment's first element
// (source index in the partition) and `offset` what to add to source indices. A fragment that owns no
// corner of the grid (smaller than a cell) gets a small ball about its first element.
bool sherd_piece_build(piece *out, shell *s, const placing *p, int32_t first, int32_t offset,
                       const sherd_parallel *parallel);
void sherd_piece_release(piece *p);
