// Splits a marched and faired shell into pieces.
#pragma once

#include "surface/finish/piece_attributes.h"
#include "surface/methods/march/mesh_fairing.h"
#include "surface/piece/piece.h"

// The vertices and triangles of a shell by piece.
typedef struct shell_parts {
    int32_t *vertex_start, *vertex;     // rows by piece, in the shell's order
    int32_t *triangle_start, *triangle; // rows by piece, in the shell's order
} shell_parts;

// Sorts a shell by piece and numbers each piece's vertices. Returns false when out of memory; call
// release in any case.
bool sherd_shell_divide(shell *s, int32_t piece_count, shell_parts *parts);
void sherd_shell_parts_release(shell_parts *parts);

// A faired shell and the inputs from which pieces are made.
typedef struct piece_source {
    const shell *shell;
    const shell_parts *parts;
    const placing *fields;
    const uint8_t *crease; // by vertex of the shell
    int32_t offset;        // added to source indices of elements
    const decoration *decoration;
} piece_source;

// Builds piece `number`: positions, normals, face kinds, texture coordinates, roughness, skinning
// weights. `first` is the fragment's first element (source index in the partition). A fragment that
// owns no grid corner (smaller than a cell) gets a small ball about its first element.
bool sherd_piece_build(piece *out, const piece_source *from, int32_t number, int32_t first,
                       const sherd_parallel *parallel);
