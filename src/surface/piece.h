// One fragment's finished mesh.
#pragma once

#include "surface/finish/decorate.h"
#include "surface/finish/fair.h"

typedef struct piece {
    sherd_fragment_id fragment;
    int body;
    sherd_element_index element_count;
    uint64_t version;
    uint64_t fingerprint; // of the mesh, to tell whether a rebuilt one is the same
    sherd_mesh *mesh;
    sherd_element_index *bones;
    float *weights;
    // The fragment that carries it when it follows another frame's (follow.h); 0: its own.
    sherd_fragment_id followed;
    sherd_element_index followed_count;
} piece;

// What of a shell belongs to each piece.
typedef struct shell_parts {
    int32_t *vertex_start, *vertex;     // rows by piece, in the shell's order
    int32_t *triangle_start, *triangle; // rows by piece, in the shell's order
} shell_parts;

// Sorts a shell by piece and numbers each piece's vertices. False when memory is short; release in any
// case.
bool sherd_shell_divide(shell *s, int32_t piece_count, shell_parts *parts);
void sherd_shell_parts_release(shell_parts *parts);

// A faired shell and what pieces are made of it.
typedef struct piece_source {
    const shell *shell;
    const shell_parts *parts;
    const placing *fields;
    const uint8_t *crease; // by vertex of the shell
    int32_t offset;        // to be added to source indices of elements
    const decoration *decoration;
} piece_source;

// Makes the `number`-th piece: positions, normals, kinds of faces, texture coordinates, roughness, skin. `first` is the fragment's
// first element (source index in the partition). A fragment that owns no corner of the grid (smaller
// than a cell) gets a small ball about its first element.
bool sherd_piece_build(piece *out, const piece_source *from, int32_t number, int32_t first,
                       const sherd_parallel *parallel);
// Only that ball.
bool sherd_piece_ball(piece *out, const partition *p, const texture_scale *texture, int32_t first,
                      int32_t offset);
void sherd_piece_release(piece *p);
