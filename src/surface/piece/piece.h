// One fragment's finished mesh.
#pragma once

#include <sherd/fragments.h>
#include <sherd/mesh.h>

typedef struct piece {
    sherd_fragment_id fragment;
    int body;
    sherd_element_index element_count;
    uint64_t version;
    uint64_t fingerprint; // hash of the mesh, to detect whether a rebuilt one is unchanged
    sherd_mesh *mesh;
    sherd_element_index *bones;
    float *weights;
    // The fragment that carries it if it follows another frame's (follow.h); 0: its own.
    sherd_fragment_id followed;
    sherd_element_index followed_count;
} piece;

// All pieces of a body, in the order of the fragment view.
typedef struct piece_array {
    int32_t count;
    piece *items;
} piece_array;

// Allocates a mesh with vertices, normals, triangles and face kinds. Returns false when out of
// memory.
bool sherd_piece_make_mesh(piece *out, int32_t vertices, int32_t triangles);
// The same with its skinning weights.
bool sherd_piece_reserve(piece *out, int64_t vertices, int64_t triangles);
void sherd_piece_release(piece *p);
void sherd_pieces_release(piece_array *p);
