// Builds fragments' meshes from a body's cut surfaces.
#pragma once

#include "surface/methods/cut/cut.h"
#include "surface/methods/cut/cut_slit.h"
#include "surface/piece/piece.h"

// The lists that contain faces of each wanted piece: patches by index, then blocks by their index
// after all patches.
typedef struct cut_parts {
    int32_t *start; // (pieces + 2)
    int32_t *list;
    // By block: the fragments in front of and behind each part of its divided triangles and then
    // each of its triangles, 0 where a triangle is divided or outside the body; NULL for blocks
    // with few pieces.
    sherd_fragment_id **front, **back;
    int32_t block_count;
} cut_parts;

// `number` maps a fragment to its piece. Returns false when out of memory; call release in any
// case.
bool sherd_cut_list_parts(const cut *k, const key_map *number, const uint8_t *wanted,
                          int32_t piece_count, cut_parts *parts);
void sherd_cut_parts_release(cut_parts *parts);

typedef enum cut_piece_result {
    CUT_PIECE_OK,
    CUT_PIECE_EMPTY, // the fragment has no part of the body
    CUT_PIECE_WRONG, // not closed, or inverted
    CUT_PIECE_MEMORY,
} cut_piece_result;

// Scratch memory of one thread, reused from piece to piece; zero-initialised is ready for use.
typedef struct cut_piece_scratch {
    key_map numbers; // maps vertex keys to indices
    size_t vertex_capacity, face_capacity, local_capacity;
    sherd_vec3 *vertex;
    struct piece_face *faces;
    // Index in the mesh of each vertex and intersection point of a list, -1: none yet.
    int32_t *local;
} cut_piece_scratch;

void sherd_cut_piece_scratch_release(cut_piece_scratch *scratch);

// Builds the mesh of `out->fragment`, piece number `number`, without bones, and sets its
// fingerprint. Opens cracks inside the fragment as `how` specifies.
cut_piece_result sherd_cut_piece_mesh(piece *out, const cut *k, const cut_parts *parts,
                                      int32_t number, const slit_drawing *how,
                                      cut_piece_scratch *scratch);
