// Pieces of a closed surface that are too small.
#pragma once

#include <sherd/mesh.h>

typedef struct wrap_pieces {
    int32_t kept, dropped;
} wrap_pieces;

// Drops the triangles of pieces, and of cavities, whose volume is less than `least` [m^3]. False when memory is short.
bool sherd_wrap_drop_specks(sherd_mesh *mesh, double least, wrap_pieces *pieces);
