// One fragment's finished mesh, and the pieces of a body.
#pragma once

#include "surface/partition/key_map.h"

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

// The pieces of a body during an update, for surfaces built fragment by fragment.
typedef struct piece_list {
    key_map number; // maps a fragment to its piece
    piece *pieces;
    uint8_t *stale, *failed; // to be built; out of memory  (pieces)
} piece_list;

// Allocates a piece for each key in `number`, all stale. Returns false when out of memory.
bool sherd_piece_list_allocate(piece_list *list);
// Takes over previous pieces whose fragment and fingerprint are unchanged.
void sherd_piece_list_keep(piece_list *list, piece_array *former);
// Numbers the versions of stale pieces and replaces the previous pieces by the list. If `good` is
// false, or a piece has failed, no pieces remain and false is returned.
bool sherd_piece_list_finish(piece_list *list, bool good, uint64_t *next_version,
                             piece_array *pieces);
