// Removes small components of a closed surface.
#pragma once

#include <sherd/mesh.h>

typedef struct wrap_pieces {
    int32_t kept, dropped;
} wrap_pieces;

// Drops the triangles of components, and of cavities, whose volume is less than `min_volume` [m^3].
// Returns false when out of memory.
bool sherd_wrap_drop_small_parts(sherd_mesh *mesh, double min_volume, wrap_pieces *pieces);
