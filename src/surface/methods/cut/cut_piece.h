// Fragments' meshes from a body's cut surfaces.
#pragma once

#include "surface/methods/cut/cut.h"
#include "surface/methods/cut/cut_slit.h"
#include "surface/piece/piece.h"

// The lists that hold faces of each wanted piece: patches by number, then blocks by their number behind
// all patches.
typedef struct cut_parts {
    int32_t *start; // (pieces + 2)
    int32_t *list;
    // By block: the fragments before and behind each of its parts of divided triangles and, after these, of its triangles,
    // 0 where one is divided or outside the body; NULL where few pieces ask.
    sherd_fragment_id **front, **back;
    int32_t block_count;
} cut_parts;

// `number` gives a fragment's piece. False when memory is short; release in any case.
bool sherd_cut_list_parts(const cut *k, const key_map *number, const uint8_t *wanted,
                          int32_t piece_count, cut_parts *parts);
void sherd_cut_parts_release(cut_parts *parts);

typedef enum cut_piece_result {
    CUT_PIECE_OK,
    CUT_PIECE_EMPTY, // the fragment has no share of the body
    CUT_PIECE_WRONG, // not closed, or inside out
    CUT_PIECE_MEMORY,
} cut_piece_result;

// Memory that one piece after the other is made in; zero-filled is ready. Of one thread.
typedef struct cut_piece_scratch {
    key_map numbers; // of vertices, by key
    size_t vertex_room, face_room, local_room;
    sherd_vec3 *vertex;
    struct piece_face *faces;
    int32_t *local; // the mesh's number of each vertex and crossing point of a list, -1: none yet
} cut_piece_scratch;

void sherd_cut_piece_scratch_release(cut_piece_scratch *scratch);

// The mesh of `out->fragment`, the `number`-th piece, without bones. Its fingerprint is set. Cracks inside
// it are opened as `how` tells.
cut_piece_result sherd_cut_piece_mesh(piece *out, const cut *k, const cut_parts *parts,
                                      int32_t number, const slit_drawing *how,
                                      cut_piece_scratch *scratch);
